import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { createPrint } from '#cli/common/print.ts'
import { createProgram } from '#cli/main.ts'
import { nouns } from '#cli/nouns.ts'
import type { Site } from './site.ts'

/**
 * Runs a command of the CLI on the very context of a site, with the features that a test added.
 * @returns what the command printed
 * @throws what the command throws
 */
export async function runOn(site: Pick<Site, 'context'>, ...args: string[]): Promise<string> {
  const { out, error } = await toldOn(site, ...args)
  if (error !== null) throw error
  return out
}

/** The same with what it throws in addition to what it printed, as help and a doctor with findings do. */
export async function toldOn(
  { context }: Pick<Site, 'context'>,
  ...args: string[]
): Promise<{ out: string; error: unknown }> {
  const out = new PassThrough()
  const print = createPrint({ out, err: out, env: {} })
  const program = createProgram({
    print,
    useConfig: () => context.config,
    useContext: async () => context,
    env: {},
    out,
    err: out,
  })
  const printed = text(out)
  let error: unknown = null
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (thrown) {
    error = thrown
  }
  try {
    await print.finish()
  } catch (thrown) {
    error ??= thrown
  } finally {
    out.end()
  }
  return { out: await printed, error }
}

/** A verb of the command line: its words, and the options that it takes. */
export type Verb = { path: string; options: readonly string[] }

/** Every verb of the command line. */
export async function allVerbs(): Promise<Verb[]> {
  const out = new PassThrough()
  const print = createPrint({ out, err: out, env: {} })
  const unused = (): never => {
    throw new Error('No command runs here.')
  }
  const tools = { print, useConfig: unused, useContext: unused, env: {}, out, err: out }
  const program = createProgram(tools)
  const verbs: Verb[] = []
  const walk = (command: Command, path: string) => {
    if (command.commands.length === 0) {
      const options = command.options.flatMap(({ long }) => long ?? [])
      verbs.push({ path, options })
    }
    for (const each of command.commands) walk(each, `${path} ${each.name()}`)
  }
  for (const { name, addTo } of nouns) {
    const command = program.commands.find((each) => each.name() === name)!
    await addTo(command, tools)
    walk(command, name)
  }
  return verbs
}
