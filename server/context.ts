import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createContent, type Content } from './content/source.ts'
import { createTicketStore, type TicketStore } from './contact/store.ts'
import { openDatabase, type Database } from './db/open.ts'
import { createLog, type LogRing } from './log.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createKeys, type Keys } from './secret-key.ts'

/** The long-lived things that features take what they need from; built once, passed in. */
export type Context = {
  readonly config: Config
  readonly log: Logger
  readonly ring: LogRing
  /** Milliseconds of the epoch; fixed in tests. */
  readonly clock: () => number
  readonly keys: Keys
  readonly db: Database
  readonly content: Content
  readonly tickets: TicketStore
  readonly mailer: Mailer
  readonly outbox: Outbox
  /** Lets go of everything; twice is harmless. */
  close(): Promise<void>
}

/**
 * Builds the context. Nothing runs by itself afterwards: the server starts the outbox, the CLI
 * only reads and writes.
 * @param parts replacements, for tests and for the CLI's quiet log
 * @throws when the database cannot be used
 */
export async function openContext(
  config: Config,
  parts: { clock?: () => number; log?: Parameters<typeof createLog>[0] } = {},
): Promise<Context> {
  const clock = parts.clock ?? Date.now
  const { log, ring, flush } = await createLog(
    parts.log ?? { level: config.logLevel, pretty: process.stdout.isTTY },
  )
  const db = openDatabase(config.dataDir, (step) => log.info({ step }, 'database'))
  const keys = createKeys({ secretKey: config.secretKey, dataDir: config.dataDir })
  const content = await createContent({ config, log, clock })
  const tickets = createTicketStore(db, { clock })
  const mailer = createMailer({ mail: config.mail, dataDir: config.dataDir })
  const outbox = createOutbox({ db, clock, log, mailer })
  let closing: Promise<void> | null = null
  const close = async () => {
    await outbox.stop()
    await content.close()
    mailer.close()
    db.close()
    flush()
  }
  return {
    config,
    log,
    ring,
    clock,
    keys,
    db,
    content,
    tickets,
    mailer,
    outbox,
    close: () => (closing ??= close()),
  }
}
