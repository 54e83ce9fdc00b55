import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import type { Config, readConfig as ReadConfig } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import { version } from '#server/version.ts'
import { AmbiguousName } from './common/named.ts'
import { refuseBackwards } from './common/options.ts'
import { createPrint } from './common/print.ts'
import { takesColours } from './common/screen.ts'
import { jq, shapeOf, withPlainJson } from './common/shape.ts'
import { harmless } from './common/terminal.ts'
import { nouns, type Tools } from './nouns.ts'

/** A command of staff: whatever prints JSON takes `--jq`, too. */
class StaffCommand extends Command {
  override createCommand(name?: string): Command {
    return new StaffCommand(name)
  }

  override addOption(option: Option): this {
    super.addOption(option)
    return option.long === '--json' ? super.addOption(jq()) : this
  }

  override parseOptions(words: string[]) {
    return super.parseOptions(this.registeredArguments.length > 0 ? withPlainJson(words) : words)
  }
}

/**
 * The command line: nouns and their verbs. A noun's module is loaded once someone names the noun, so
 * that help and lists begin at once.
 * @param tools what commands work with; nothing is opened here
 */
export function createProgram({ out, err, ...tools }: Tools & Omit<CommandIo, 'env'>): Command {
  const program = new StaffCommand('pitlane')
    .description('Manage the site from the terminal. Safe to use while the server is running.')
    .version(version)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeErr: (text) => void err.write(harmless(text)),
      writeOut: (text) => void out.write(text),
      getOutHelpWidth: () => ('columns' in out ? Number(out.columns) : 80),
    })
  for (const { name, description, args = '' } of nouns) {
    program.command(`${name} ${args}`.trim()).description(description)
  }
  program.hook('preSubcommand', async (_, command) => {
    await nouns.find(({ name }) => name === command.name())?.addTo(command, tools)
  })
  program.hook('preAction', (_, command) => refuseBackwards(command))
  program.hook('preAction', (_, command) => tools.print.shapeAs(shapeOf(command)))
  return program
}

/** What a process hands to a command. */
export type CommandIo = {
  env: NodeJS.ProcessEnv
  out: Writable
  /** For what is no answer: mistakes, warnings, progress. */
  err: Writable & { isTTY?: boolean }
}

/**
 * Runs one command.
 * @param args the words after the program's name
 * @returns the exit code: 0 done, 1 failed, 2 wrong use
 */
export async function runCommand(
  args: readonly string[],
  { env, out, err }: CommandIo,
): Promise<number> {
  let readConfig: typeof ReadConfig
  let config: Config | null = null
  let context: Promise<Context> | null = null
  let acting: Command | null = null
  const say = (text: string) => void err.write(`${harmless(text)}\n`)
  const useConfig = () => (config ??= readConfig(env))
  const useContext = () =>
    (context ??= open(useConfig(), (text) => {
      // That the key is missing would read like a refusal to put another one in its place.
      if (!isForLostKey(acting)) say(text)
    }))
  const print = createPrint({ out, err, env })
  const program = createProgram({ useConfig, useContext, env, print, out, err })
  program.hook('preAction', async (_program, command) => {
    acting = command
    ;({ readConfig } = await import('#server/config.ts'))
    const { refuseOtherSettings } = await import('./server-settings.ts')
    await refuseOtherSettings(command, env)
  })
  try {
    try {
      await program.parseAsync(withHelpOption(args), { from: 'user' })
    } finally {
      await print.finish()
    }
    return 0
  } catch (error) {
    // What an action finds wrong with an argument, commander has not told yet.
    if (error instanceof InvalidArgumentError) explain(error, acting, say)
    if (error instanceof AmbiguousName) say(error.message)
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    say(fullDisk(error) ?? missingFile(error) ?? explained(error as Error))
    return 1
  } finally {
    const opened = await (context as Promise<Context> | null)?.catch(() => null)
    if (opened) {
      if (err.isTTY) remind(opened, err, takesColours(env))
      await opened.close()
    }
  }
}

/**
 * `help tickets list` as `tickets list --help`: commander's own help of another command knows a noun
 * alone, since its verbs are there once the noun is named.
 */
function withHelpOption(args: readonly string[]): readonly string[] {
  const [first, noun, ...verbs] = args
  if (first !== 'help' || noun === undefined) return args
  return nouns.some(({ name }) => name === noun) ? [noun, ...verbs, '--help'] : [noun]
}

/** What staff are told where a disk takes nothing more; null for other errors. */
function fullDisk(error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'SQLITE_FULL') {
    return 'This wasn’t saved: the disk of DATA_DIR is full. Free some space, then run it again.'
  }
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? 'This wasn’t written to its end: the disk is full. Free some space, then run it again.'
    : null
}

/** Whether a command is there to replace a key that is gone: `keys rotate --lost`. */
const isForLostKey = (command: Command | null): boolean =>
  command?.parent?.name() === 'keys' && command.getOptionValue('lost') === true

/** What staff are told of a file or directory that they named and that isn't what it should be; null for other errors. */
function missingFile(error: unknown): string | null {
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (code === 'EISDIR') {
    const named = dest ?? path
    return named ? `This is a directory, not a file: ${named}.` : 'This is a directory, not a file.'
  }
  if (code === 'EEXIST' && path) return `There’s already a file: ${path}.`
  if (code !== 'ENOENT' || !path) return null
  const directory = dirname(path)
  return existsSync(directory)
    ? `There’s no such file: ${path}.`
    : `There’s no such directory: ${directory}.`
}

/** Says what is wrong, and how the verb is used. */
function explain(
  { message }: InvalidArgumentError,
  verb: Command | null,
  say: (text: string) => void,
): void {
  say(`error: ${message}`)
  if (verb) say(`\n${verb.helpInformation({ error: true }).trimEnd()}`)
}

/** Runs the command of this process. */
export async function main(): Promise<number> {
  const { env, stdout, stderr } = process
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the output may stop early, as `head` does.
    if (error.code === 'EPIPE') process.exit(0)
    stderr.write(`${fullDisk(error) ?? error.message}\n`)
    process.exit(1)
  })
  // The same reader may have taken its mistakes; what the command has done stays as it is.
  stderr.on('error', () => {})
  // What the server waits for never holds up its end, so something here must.
  const alive = setInterval(() => {}, 60_000)
  try {
    return await runCommand(process.argv.slice(2), { env, out: stdout, err: stderr })
  } finally {
    clearInterval(alive)
  }
}

/** Opens the context with a silent log: what a command says is its output. */
async function open(config: Config, warn: (text: string) => void): Promise<Context> {
  const { keepPrivate } = await import('#server/state/private-files.ts')
  keepPrivate(config.dataDir)
  const [{ openContext }, { withRecordedOrigin }] = await Promise.all([
    import('#server/context.ts'),
    import('./site-origin.ts'),
  ])
  return openContext(config, {
    log: { level: 'silent', write() {} },
    configFrom: (given, recorded) => withRecordedOrigin(given, recorded, warn),
    onOtherSettings: warn,
    // A mistyped path would look like a site where nothing has happened yet.
    onNewSite: warn,
    preparing: 'when used',
  })
}

/** A line, red where colours may be, about what waits for a person, and the commands that show it. */
function remind({ contributions }: Context, err: Writable, isColoured: boolean): void {
  const lines = contributions().digest()
  if (lines.length === 0) return
  const parts = lines.map(({ count, what, command }) => `${count} ${what} (${command})`)
  const text = parts.join(', ')
  err.write(isColoured ? `\u001b[31m${text}\u001b[0m\n` : `${text}\n`)
}

if (import.meta.main) {
  // As `cli/start.js` does; what is set already counts more.
  const settings = join(import.meta.dirname, '../.env')
  if (existsSync(settings)) process.loadEnvFile(settings)
  process.exitCode = await main()
}

/** What went wrong; of the content service also why, where a status says too little. */
function explained(error: Error): string {
  return 'explanation' in error ? `${error.message}: ${String(error.explanation)}` : error.message
}
