#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { readConfig, type Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import { keepPrivate } from '#server/private-files.ts'
import type { UseConfig, UseContext } from './command.ts'
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
import { createPrint, type Print } from './print.ts'
import { addPrivacy } from './privacy.ts'
import { addProducts } from './products.ts'
import { addSitemap } from './sitemap.ts'
import { addStats } from './stats.ts'
import { harmless } from './terminal.ts'
import { withRecordedOrigin } from './site-origin.ts'
import { addTickets } from './tickets.ts'

/**
 * The command line: nouns and their verbs. Each noun's module adds itself.
 * @param tools what commands work with; nothing is opened here
 */
export function createProgram({
  useConfig,
  useContext,
  print,
}: {
  useConfig: UseConfig
  useContext: UseContext
  print: Print
}): Command {
  const program = new Command('pitlane')
    .description('Looks after the site from a terminal, also while the server runs.')
    .version(version())
    .showHelpAfterError()
    .configureOutput({ writeErr: (text) => void process.stderr.write(harmless(text)) })
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
  addContent(program, { useConfig, useContext }, print)
  addSitemap(program, useContext, print)
  addJobs(program, useContext, print)
  addPrivacy(program, useContext, print)
  addStats(program, useContext, print)
  addDoctor(program, { useConfig, useContext }, print)
  return program
}

/** Runs one command; the exit code is 0 done, 1 failed, 2 wrong use. */
async function main(): Promise<number> {
  let config: Config | null = null
  let context: Promise<Context> | null = null
  const useConfig = () => (config ??= readConfig(process.env))
  const useContext = () => (context ??= open(useConfig()))
  // Whoever reads our output may stop early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
  const program = createProgram({ useConfig, useContext, print: createPrint(process.stdout) })
  strict(program)
  // What the server waits for never holds up its end, so something here must.
  const alive = setInterval(() => {}, 60_000)
  try {
    await program.parseAsync()
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    console.error(harmless((error as Error).message))
    return 1
  } finally {
    clearInterval(alive)
    const opened = await (context as Promise<Context> | null)?.catch(() => null)
    if (opened) {
      remind(opened)
      await opened.close()
    }
  }
}

/** The version in package.json, as `/api/health` gives it. */
function version(): string {
  const file = join(import.meta.dirname, '../package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** Opens the context with a silent log: what a command says is its output. */
async function open(config: Config): Promise<Context> {
  keepPrivate(config.dataDir)
  const { openContext } = await import('#server/context.ts')
  return openContext(config, {
    log: { level: 'silent', write() {} },
    configFrom: (given, recorded) =>
      withRecordedOrigin(given, recorded, (text) => console.error(harmless(text))),
  })
}

/** Makes commander throw where it would end the process, in every command. */
function strict(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) strict(child)
}

/** A red line about what waits for a person, where one is looking. */
function remind({
  outbox,
  features: {
    contact: { tickets },
  },
}: Context): void {
  if (!process.stderr.isTTY) return
  const quarantined = tickets.quarantined()
  const { failed } = outbox.counts()
  if (quarantined + failed === 0) return
  console.error(
    `\u001b[31m${quarantined} ticket(s) in quarantine, ${failed} mail(s) failed\u001b[0m`,
  )
}

if (import.meta.main) process.exitCode = await main()
