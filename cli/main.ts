#!/usr/bin/env node
import type { Writable } from 'node:stream'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { readConfig, type Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import { keepPrivate } from '#server/private-files.ts'
import { version } from '#server/version.ts'
import type { UseConfig, UseContext } from './command.ts'
import { addBackup } from './backup.ts'
import { addBookings } from './bookings.ts'
import { addClients } from './clients.ts'
import { addCodes } from './codes.ts'
import { addContent } from './content.ts'
import { addDoctor } from './doctor.ts'
import { addEvents } from './events.ts'
import { addFolders } from './folders.ts'
import { addJobs } from './jobs.ts'
import { addLinks } from './links.ts'
import { addMail } from './mail.ts'
import { addNewsletter } from './newsletter.ts'
import { addOrders } from './orders.ts'
import { addPanels } from './panels.ts'
import { createPrint } from './print.ts'
import { addPrivacy } from './privacy.ts'
import { addProducts } from './products.ts'
import { addSitemap } from './sitemap.ts'
import { addStats } from './stats.ts'
import { harmless } from './terminal.ts'
import { withRecordedOrigin } from './site-origin.ts'
import { addTickets } from './tickets.ts'

/**
 * The command line: nouns and their verbs. Each noun's module adds itself.
 * @param options what commands work with; nothing is opened here
 */
export function createProgram({
  useConfig,
  useContext,
  env,
  out,
  err,
}: { useConfig: UseConfig; useContext: UseContext } & CommandIo): Command {
  const print = createPrint(out)
  const program = new Command('pitlane')
    .description('Looks after the site from a terminal, also while the server runs.')
    .version(version)
    .showHelpAfterError()
    .configureOutput({
      writeErr: (text) => void err.write(harmless(text)),
      writeOut: (text) => void out.write(text),
    })
  addTickets(program, useContext, print)
  addMail(program, useContext, print)
  addClients(program, useContext, print)
  addCodes(program, useContext, print)
  addPanels(program, useContext, print)
  addFolders(program, useContext, print)
  addLinks(program, useContext, print)
  addProducts(program, useContext, print)
  addOrders(program, useContext, print)
  addBookings(program, useContext, print)
  addEvents(program, useConfig, print)
  addNewsletter(program, useContext, print)
  addContent(program, { useConfig, useContext, env }, print)
  addSitemap(program, useContext, print)
  addJobs(program, useContext, print)
  addPrivacy(program, useContext, print)
  addStats(program, useContext, print)
  addBackup(program, { useConfig, useContext }, print)
  addDoctor(program, { useConfig, useContext }, print)
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
  let config: Config | null = null
  let context: Promise<Context> | null = null
  const say = (text: string) => void err.write(`${harmless(text)}\n`)
  const useConfig = () => (config ??= readConfig(env))
  const useContext = () => (context ??= open(useConfig(), say))
  const program = createProgram({ useConfig, useContext, env, out, err })
  strict(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // What an action finds wrong with an argument, commander has not told yet.
    if (error instanceof InvalidArgumentError) say(`error: ${error.message}`)
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    say((error as Error).message)
    return 1
  } finally {
    const opened = await (context as Promise<Context> | null)?.catch(() => null)
    if (opened) {
      if (err.isTTY) remind(opened, err)
      await opened.close()
    }
  }
}

/** Runs the command of this process. */
async function main(): Promise<number> {
  const { env, stdout, stderr } = process
  // The reader of the output may stop early, as `head` does.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
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
  keepPrivate(config.dataDir)
  const { openContext } = await import('#server/context.ts')
  return openContext(config, {
    log: { level: 'silent', write() {} },
    configFrom: (given, recorded) => withRecordedOrigin(given, recorded, warn),
  })
}

/** Makes commander throw where it would end the process, in every command. */
function strict(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) strict(child)
}

/** A red line about what waits for a person, and the commands that show it. */
function remind({ contributions }: Context, err: Writable): void {
  const lines = contributions().digest()
  if (lines.length === 0) return
  const told = lines.map(({ count, what, command }) => `${count} ${what} (${command})`)
  err.write(`\u001b[31m${told.join(', ')}\u001b[0m\n`)
}

if (import.meta.main) process.exitCode = await main()
