import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { createClients, type Clients } from './clients/clients.ts'
import { createConsentCounts, type ConsentCounts } from './consent/store.ts'
import { createContent, type Content } from './content/source.ts'
import { createTicketStore, type TicketStore } from './contact/store.ts'
import { daily } from './daily.ts'
import type { Commit } from './db/group-commit.ts'
import { inBatches } from './db/in-batches.ts'
import { openDatabase, type Database } from './db/open.ts'
import { createFolders, type Folders } from './folders/folders.ts'
import { folderWriters } from './folders/letters.ts'
import { addFolderBlock } from './folders/panel-block.ts'
import { createLinks, type Links } from './links/links.ts'
import { createLog, type AccessLog } from './log.ts'
import { createAlerts, logWriters } from './logs/alerts.ts'
import type { LogRing } from './logs/ring.ts'
import { createViewers, type LogViewers } from './logs/viewers.ts'
import { createMailCalls, type MailCalls } from './mail/calls.ts'
import { createCompose, mailbox } from './mail/compose.ts'
import { createDigest } from './mail/digest.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import type { Brand } from './mail/messages.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createMailStore, type MailStore } from './mail/store.ts'
import { createNewsletter, type Newsletter } from './newsletter/newsletter.ts'
import { contentSources } from './search/content-sources.ts'
import { createSearch, type Search } from './search/search.ts'
import { createSiteOrigin, type RecordedOrigin, type SiteOrigin } from './site-origin.ts'
import { createKeys, keyWarning, type Keys } from './secret-key.ts'

/** The long-lived things that features take what they need from; built once, passed in. */
export type Context = {
  readonly config: Config
  readonly log: Logger
  /** For the line of each request. */
  readonly access: AccessLog
  readonly ring: LogRing
  /** Who watches the log; let go before the server waits for its connections. */
  readonly viewers: LogViewers
  /** Milliseconds of the epoch; fixed in tests. */
  readonly clock: () => number
  readonly keys: Keys
  readonly db: Database
  /** Runs work in a transaction that concurrent requests share. */
  readonly commit: Commit
  readonly content: Content
  readonly search: Search
  readonly tickets: TicketStore
  readonly clients: Clients
  readonly links: Links
  readonly consents: ConsentCounts
  readonly siteOrigin: SiteOrigin
  readonly folders: Folders
  readonly mails: MailStore
  readonly calls: MailCalls
  readonly mailer: Mailer
  readonly outbox: Outbox
  readonly subscribers: Newsletter['subscribers']
  readonly issues: Newsletter['issues']
  readonly confirmationTokens: Newsletter['confirmationTokens']
  /** Lets go of everything; twice is harmless. */
  close(): Promise<void>
}

/**
 * Builds the context. Nothing runs by itself afterwards: the server starts the outbox, the CLI
 * only reads and writes.
 * @param parts replacements, for tests and for the CLI: its quiet log, and its view of the
 *   configuration, which depends on the origin that the server has recorded
 * @throws when the database cannot be used
 */
export async function openContext(
  given: Config,
  parts: {
    configFrom?: (given: Config, recorded: RecordedOrigin | null) => Config
    clock?: () => number
    log?: Parameters<typeof createLog>[0]
    contentPace?: Parameters<typeof createContent>[0]['pace']
  } = {},
): Promise<Context> {
  const clock = parts.clock ?? Date.now
  const { log, access, ring, flush } = await createLog(
    parts.log ?? {
      level: given.logLevel,
      pretty: process.stdout.isTTY,
      directory: join(given.dataDir, 'logs'),
    },
  )
  const db = openDatabase(given.dataDir, (step) => log.info({ step }, 'database'))
  const siteOrigin = createSiteOrigin(db, { clock })
  const config = parts.configFrom?.(given, siteOrigin.read()) ?? given
  const weakness = keyWarning(config.secretKey)
  if (weakness) log.warn(weakness)
  const keys = createKeys(config)
  const content = await createContent({ config, log, clock, pace: parts.contentPace })
  const search = createSearch({
    dataDir: config.dataDir,
    sources: contentSources(content),
    version: content.version,
    // Files of our own are cheap to read; another service is not asked for everything each time.
    rereads: config.content ? 100 : Infinity,
    log,
  })
  const tickets = createTicketStore(db, { clock })
  const clients = createClients({ db, keys, clock, dataDir: config.dataDir, tickets })
  const links = createLinks({ db, clock, log, config })
  const { commit } = db
  const consents = createConsentCounts(db, { clock })
  const [, domain] = mailbox(config.mail.from).address.split('@')
  const mails = createMailStore(db, { clock, domain: domain!, keys })
  const calls = createMailCalls({ db, clock, log, tickets, mails })
  const mailer = createMailer({ mail: config.mail, dataDir: config.dataDir })
  const brand = () => brandOf(content)
  const { writers, chore, ...newsletter } = createNewsletter({ db, clock, keys, config })
  const folders = createFolders({ db, commit, clock, keys, mails, dataDir: config.dataDir })
  addFolderBlock(clients.blocks, { ...folders, clock })
  const inbox = mailbox(config.mail.staff)
  const letters = folderWriters({ inbox, config })
  const compose = createCompose({
    mail: config.mail,
    tickets,
    newsletter: writers,
    folders: letters,
    logs: logWriters({ inbox, config }),
    brand,
  })
  const digest = createDigest({ tickets, mails, calls, commit, clock, dataDir: config.dataDir })
  const alerts = createAlerts({ ring, mails, commit, clock })
  const tidy = daily(clock, async () => {
    await inBatches(commit, links.forgetOld)
    await commit((tx) => consents.forgetOld(tx))
  })
  const chores = [calls.settleOverdue, digest, chore, folders.chores, alerts, tidy]
  const outbox = createOutbox({ mails, mailer, compose, commit, clock, log, chores })
  const viewers = createViewers(ring, { clock })
  let closing: Promise<void> | null = null
  const close = async () => {
    viewers.end()
    await outbox.stop()
    await search.close()
    await content.close()
    mailer.close()
    // Clicks are not worth a stop that hangs, should another process hold the database.
    await Promise.race([links.flush(), delay(1000, undefined, { ref: false })])
    await db.close()
    flush()
  }
  return {
    config,
    log,
    access,
    ring,
    viewers,
    clock,
    keys,
    db,
    commit,
    content,
    search,
    tickets,
    clients,
    links,
    consents,
    siteOrigin,
    folders,
    mails,
    calls,
    mailer,
    outbox,
    ...newsletter,
    close: () => (closing ??= close()),
  }
}

/** Who the site is in its mails. A content service that is down must not hold back mail for long. */
async function brandOf(content: Content): Promise<Brand> {
  const settings = content.rows('settings').then(
    ([row]) => (row ? { name: row.brand, email: row.email } : null),
    () => null,
  )
  const patience = new Promise<null>((resolve) => setTimeout(resolve, 3000, null).unref())
  return (await Promise.race([settings, patience])) ?? { name: 'Our website', email: null }
}
