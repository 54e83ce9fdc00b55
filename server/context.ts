import { join } from 'node:path'
import type { Config } from './config.ts'
import { createContent, type Content } from './content/source.ts'
import { openDatabase } from './db/open.ts'
import { collect, type Contributions, type Feature, type Platform } from './feature.ts'
import { createFeatures, type Features } from './features.ts'
import { createFormProofs } from './form-proofs.ts'
import { createJobs } from './jobs/jobs.ts'
import { createLog, type AccessLog } from './log/log.ts'
import { createCompose } from './mail/compose.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { mailbox, type Brand } from './mail/message.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createMailStore } from './mail/store.ts'
import { createSiteOrigin, type RecordedOrigin, type SiteOrigin } from './site-origin.ts'
import { createKeys, keyWarning } from './secret-key.ts'
import { createSiteVersion } from './site-version.ts'
import { createTimeline } from './timeline/timeline.ts'

/** The platform and the parts that no feature owns yet; built once, passed in. */
export type Context = Platform & {
  readonly features: Features
  /** For the line of each request. */
  readonly access: AccessLog
  readonly siteOrigin: SiteOrigin
  readonly mailer: Mailer
  readonly outbox: Outbox
  /** Lets go of everything; twice is harmless. */
  close(): Promise<void>
}

/** What replaces or adds parts, for tests and for the CLI's quiet log. */
export type ContextParts = {
  /** What the CLI makes of the configuration, which depends on the origin that the server recorded. */
  configFrom?: (given: Config, recorded: RecordedOrigin | null) => Config
  clock?: () => number
  log?: Parameters<typeof createLog>[0]
  contentPace?: Parameters<typeof createContent>[0]['pace']
  /** Features beside those of `features.ts`. */
  features?: readonly ((platform: Platform) => Feature)[]
  /** Milliseconds between two looks for jobs of other processes. */
  jobsEvery?: number
}

/**
 * Builds the context. Nothing runs by itself afterwards: the server starts the outbox and the jobs,
 * the CLI only reads and writes.
 * @throws when the database cannot be used
 */
export async function openContext(read: Config, parts: ContextParts = {}): Promise<Context> {
  const clock = parts.clock ?? Date.now
  const { log, access, ring, flush } = await createLog(
    parts.log ?? {
      level: read.logLevel,
      pretty: process.stdout.isTTY,
      directory: join(read.dataDir, 'logs'),
    },
  )
  const db = openDatabase(read.dataDir, (step) => log.info({ step }, 'database'))
  const siteOrigin = createSiteOrigin(db, { clock })
  const config = parts.configFrom?.(read, siteOrigin.read()) ?? read
  const weakness = keyWarning(config.secretKey)
  if (weakness) log.warn(weakness)
  const keys = createKeys(config)
  const { commit } = db
  const content = await createContent({ config, log, clock, pace: parts.contentPace })
  const siteVersion = createSiteVersion({ db, content })
  const brand = () => brandOf(content, config)

  // Features are made from the platform, which in turn hands out what all of them give.
  let given: Contributions | null = null
  const contributions = () => {
    if (!given) throw new Error('Contributions were asked for before all features were made.')
    return given
  }
  const [, domain] = mailbox(config.mail.from).address.split('@')
  const mails = createMailStore(db, { clock, domain: domain!, keys })
  const mailer = createMailer({ mail: config.mail, dataDir: config.dataDir })
  const templates = () => contributions().mailTemplates
  const compose = createCompose({ from: config.mail.from, templates, brand })
  const outbox = createOutbox({ mails, mailer, compose, commit, clock, log })
  const definitions = () => contributions().jobs
  const jobs = createJobs({ db, commit, clock, log, definitions, longestSleep: parts.jobsEvery })
  const timeline = createTimeline(db, { clock })
  const formProofs = createFormProofs({ db, keys, clock })
  const platform = {
    config,
    log,
    clock,
    keys,
    db,
    commit,
    content,
    siteVersion,
    mails,
    outbox,
    jobs,
    timeline,
    formProofs,
    ring,
    brand,
    contributions,
  } satisfies Platform

  const features = createFeatures(platform)
  given = collect([
    ...Object.values<Feature>(features),
    ...(parts.features ?? []).map((make) => make(platform)),
  ])

  for (const feature of given.features) await feature.prepare?.()

  let closing: Promise<void> | null = null
  const close = async () => {
    contributions().drain()
    await Promise.all([outbox.stop(), jobs.stop()])
    for (const feature of contributions().features) await feature.close?.()
    await content.close()
    mailer.close()
    await db.close()
    flush()
  }
  return {
    ...platform,
    features,
    access,
    siteOrigin,
    mailer,
    outbox,
    close: () => (closing ??= close()),
  }
}

/** Who the site is in its mails. A content service that is down must not hold back mail for long. */
async function brandOf(content: Content, { siteUrl }: Pick<Config, 'siteUrl'>): Promise<Brand> {
  const settings = content.rows('settings').then(
    ([row]) => row ?? null,
    () => null,
  )
  const patience = new Promise<null>((resolve) => setTimeout(resolve, 3000, null).unref())
  const known = await Promise.race([settings, patience])
  if (!known) return { name: 'Our website', email: null, siteUrl, imprint: '' }
  const { brand, email, legal_name, street, postal_code, city, country, business_id } = known
  const imprint = [
    legal_name ?? brand,
    street,
    [postal_code, city].filter(Boolean).join(' '),
    country,
    business_id && `Business\u00a0ID\u00a0${business_id}`,
  ]
  return { name: brand, email, siteUrl, imprint: imprint.filter(Boolean).join(' · ') }
}
