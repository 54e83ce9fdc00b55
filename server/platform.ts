import { join } from 'node:path'
import type { Config } from './config.ts'
import { createContent } from './content/source.ts'
import { openDatabase } from './db/open.ts'
import type { Contributions, Platform } from './feature.ts'
import { createFormProofs } from './form-proofs.ts'
import { createJobs } from './jobs/jobs.ts'
import type { AccessLog } from './log/access-log.ts'
import { createLog } from './log/log.ts'
import type { PrivatePaths } from './log/private-paths.ts'
import { createCompose } from './mail/compose.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { mailbox } from './mail/message.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createMailStore } from './mail/store.ts'
import { createKeys, keyWarning } from './secret-key.ts'
import { readSiteBrand } from './site-brand.ts'
import { createSiteOrigin, type RecordedOrigin, type SiteOrigin } from './site-origin.ts'
import { createSiteVersion } from './site-version.ts'
import { createTimeline } from './timeline/timeline.ts'

/** What replaces parts of the platform, for tests and for the CLI's quiet log. */
export type PlatformOptions = {
  /** What the CLI makes of the configuration, which depends on the origin that the server recorded. */
  configFrom?: (given: Config, recorded: RecordedOrigin | null) => Config
  clock?: () => number
  log?: Omit<Parameters<typeof createLog>[0], 'secrets'>
  contentPace?: Parameters<typeof createContent>[0]['pace']
  /** Milliseconds between two looks for jobs of other processes. */
  jobsEvery?: number
}

/** The platform, and what only those see of it who start and stop the site. */
export type OpenPlatform = Platform & {
  /** For the line of each request. */
  readonly access: AccessLog
  readonly privatePaths: PrivatePaths
  readonly siteOrigin: SiteOrigin
  readonly mailer: Mailer
  readonly outbox: Outbox
  /**
   * Lets go of everything.
   * @param release what features do once nothing runs by itself any more, with the database still open
   */
  shut(release: () => Promise<void>): Promise<void>
}

/**
 * Opens the platform; nothing of it runs by itself.
 * @param collected what all features give; null until they are made
 * @throws when the database cannot be used
 */
export async function openPlatform(
  read: Config,
  options: PlatformOptions,
  collected: () => Contributions | null,
): Promise<OpenPlatform> {
  const clock = options.clock ?? Date.now
  const contributions = () => {
    const all = collected()
    if (!all) throw new Error('Contributions were asked for before all features were made.')
    return all
  }
  const { log, access, ring, privatePaths, flush } = await createLog({
    ...(options.log ?? usualLog(read)),
    secrets: collected,
  })
  const db = openDatabase(read.dataDir, (step) => log.info({ step }, 'database'))
  const siteOrigin = createSiteOrigin(db, { clock })
  const config = options.configFrom?.(read, siteOrigin.read()) ?? read
  const weakness = keyWarning(config.secretKey)
  if (weakness) log.warn(weakness)
  const keys = createKeys(config)
  const { commit } = db
  const content = await createContent({ config, log, clock, pace: options.contentPace })
  const brand = () => readSiteBrand(content, config)

  const [, domain] = mailbox(config.mail.from).address.split('@')
  const mails = createMailStore(db, { clock, domain: domain!, keys })
  const mailer = createMailer({ mail: config.mail, dataDir: config.dataDir })
  const templates = () => contributions().mailTemplates
  const compose = createCompose({ from: config.mail.from, templates, brand })
  const outbox = createOutbox({ mails, mailer, compose, commit, clock, log })
  const definitions = () => contributions().jobs
  const jobs = createJobs({ db, commit, clock, log, definitions, longestSleep: options.jobsEvery })
  return {
    config,
    log,
    access,
    privatePaths,
    ring,
    clock,
    keys,
    db,
    commit,
    siteOrigin,
    content,
    siteVersion: createSiteVersion({ db, content }),
    brand,
    mails,
    mailer,
    outbox,
    jobs,
    timeline: createTimeline(db, { clock }),
    formProofs: createFormProofs({ db, keys, clock }),
    contributions,
    async shut(release) {
      await Promise.all([outbox.stop(), jobs.stop()])
      await release()
      await content.close()
      mailer.close()
      await db.close()
      await flush()
    },
  }
}

const usualLog = ({ logLevel, dataDir }: Config) => ({
  level: logLevel,
  pretty: process.stdout.isTTY,
  directory: join(dataDir, 'logs'),
})
