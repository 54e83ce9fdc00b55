import { confirmedByTimeService, createSiteClock, type SiteClock } from './clock.ts'
import type { Config } from './config.ts'
import { fillContentDir } from './content/files/first-content.ts'
import { createContent } from './content/source.ts'
import type { Preparing } from './db/database.ts'
import { newSiteBeside, openDatabase, type Database } from './db/open.ts'
import type { Contributions, Platform } from './feature.ts'
import { createFormProofs } from './secrets/form-proofs.ts'
import { createJobs } from './jobs/jobs.ts'
import type { AccessLog } from './logging/log.ts'
import { logDirectory } from './logging/destination.ts'
import { createLog } from './logging/log.ts'
import type { PrivatePaths } from './logging/private-paths.ts'
import { createCompose } from './mail/compose.ts'
import { maxRetryMs } from './mail/delivery.ts'
import { createMailer, type Mailer } from './mail/transport.ts'
import { mailbox } from './mail/message.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createMailStore } from './mail/store.ts'
import { finishRotations } from './secrets/rotation.ts'
import { createKeys, keySource, keyWarning, type Keys } from './secrets/secret-key.ts'
import {
  createServerSettings,
  otherSettings,
  unusableKeys,
  type ServerSettings,
} from './state/server-settings.ts'
import { createServerWarnings } from './state/server-warnings.ts'
import { createSiteBrand } from './site-brand.ts'
import { createSiteOrigin, type RecordedOrigin, type SiteOrigin } from './state/site-origin.ts'
import { createShares, createShareSettings } from './shares/shares.ts'
import { createSiteVersion } from './state/site-version.ts'
import { StartError } from './start-error.ts'
import { recordKept } from './timeline/later.ts'
import { createTimeline } from './timeline/timeline.ts'
import { createWorkerThread, type CreateThread } from './concurrency/worker-thread.ts'

/** What replaces parts of the platform, for tests and for the CLI's quiet log. */
export type PlatformOptions = {
  /** What the CLI makes of the configuration, which depends on the origin that the server recorded. */
  configFrom?: (given: Config, recorded: RecordedOrigin | null) => Config
  /** What takes the place of the machine's clock. */
  clock?: () => number
  /**
   * Told which settings differ from those of the server of this data, in sentences. With it a context
   * opens without the right secret key, and refuses what needs one.
   */
  onOtherSettings?: (text: string) => void
  /** Told in a sentence where the directory had no database yet, once one is made. */
  onNewSite?: (text: string) => void
  /** Milliseconds that go on steadily however the clock is set. */
  steadyClock?: () => number
  /** Who vouches for the clock beside us, or null. */
  confirmClock?: () => Promise<string | null>
  log?: Omit<Parameters<typeof createLog>[0], 'secrets'>
  contentTiming?: Parameters<typeof createContent>[0]['timing']
  /** Milliseconds between two looks for jobs of other processes. */
  jobsEvery?: number
  /** What makes threads, for tests, whose sites share them. */
  createThread?: CreateThread
  /** When statements are prepared; at once where left out. */
  preparing?: Preparing
  /**
   * Makes this the server, of which a DATA_DIR has one. Told when another one still runs, before a wait
   * for its end that blocks the event loop.
   */
  onOtherServer?: () => void
}

/** The platform, and what only those see of it who start and stop the site. */
export type OpenPlatform = Platform & {
  /** For the line of each request. */
  readonly accessLog: AccessLog
  readonly privatePaths: PrivatePaths
  readonly siteClock: SiteClock
  readonly siteOrigin: SiteOrigin
  /** Writes down what a server that begins to serve is called and set up with, and warns of it. */
  recordServer(origin: RecordedOrigin): Promise<void>
  readonly mailer: Mailer
  readonly outbox: Outbox
  /** Writes down what is logged, for a process that ends without closing anything. */
  flushLog(): Promise<void>
  /**
   * Closes everything.
   * @param closeFeatures called once nothing runs in the background any more, while the database is
   *   still open
   */
  close(closeFeatures: () => Promise<void>): Promise<void>
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
  const contributions = () => {
    const all = collected()
    if (!all) throw new Error('Contributions were read before all features were made.')
    return all
  }
  const { log, accessLog, recentLog, privatePaths, flush } = await createLog({
    ...(options.log ?? defaultLog(read)),
    secrets: collected,
  })
  const left = newSiteBeside(read.dataDir)
  const newSite = left && newSiteText(read.dataDir, left)
  const db = openDatabase(
    read.dataDir,
    (step) => log.info({ step }, 'database'),
    options.preparing,
    options.onOtherServer,
  )
  if (newSite) options.onNewSite?.(newSite)
  const siteClock = createSiteClock({
    db,
    wall: options.clock ?? Date.now,
    steady: options.steadyClock ?? (() => performance.now()),
    // The machine's time service knows nothing of a clock that takes its place.
    confirm: options.confirmClock ?? (options.clock ? async () => null : confirmedByTimeService),
    log,
  })
  const clock = siteClock.now
  const isClockTrusted = () => siteClock.doubt() === null
  const siteOrigin = createSiteOrigin(db, { clock })
  const config = options.configFrom?.(read, siteOrigin.read()) ?? read
  const weakness = keyWarning(config.secretKey)
  if (weakness) log.warn(weakness)
  const warnings = createServerWarnings(db, { clock, log })
  const settings = createServerSettings(db)
  // With nothing beside it, it's the first start of a site.
  if (newSite && left.length > 0) await settings.noteNewSite(newSite, clock())
  const { commit } = db
  const timeline = createTimeline(db, { clock })
  // Before keys are compared, since the server's is among what a rotation may have left unrecorded.
  await finishRotations(config.dataDir, { commit, timeline, settings })
  const { onOtherSettings } = options
  const keys = await openKeys(config, { db, clock, settings, onOtherSettings })
  await fillContentDir(config, log)
  const content = await createContent({
    config,
    log,
    clock,
    pictures: () => collected()?.pictures() ?? [],
    timing: options.contentTiming,
  })
  /** In calendar entries for good: with another UID, a change would be a second entry beside the first. */
  const uidHost = () => {
    const before = siteOrigin.read()
    const origin = before?.configured ? before.origin : config.siteUrl
    return settings.firstHost() ?? new URL(origin).hostname
  }
  const brand = createSiteBrand(content, config, uidHost)

  const [, domain] = mailbox(config.mail.from).address.split('@')
  const shareSettings = createShareSettings({ config, log })
  const mails = createMailStore(db, {
    clock,
    domain: domain!,
    keys,
    staffMailsAnHour: () => (config.shares ? shareSettings.inForce().mails.staff : Infinity),
  })
  const shares = createShares({ db, keys, clock, config, log, mails, settings: shareSettings })
  const mailer = createMailer({ mail: config.mail, dataDir: config.dataDir })
  const templates = () => contributions().mailTemplates
  const compose = createCompose({ from: config.mail.from, templates, brand })
  const outbox = createOutbox({
    mails,
    mailer,
    compose,
    templates,
    commit,
    clock,
    isClockTrusted,
    log,
  })
  const definitions = () => contributions().jobs
  await recordKept(config.dataDir, { commit, timeline })
  const jobs = createJobs({
    db,
    timeline,
    commit,
    clock,
    isClockTrusted,
    log,
    definitions,
    maxSleepMs: options.jobsEvery,
  })
  siteClock.onLook((tx, now) => {
    jobs.mendDueTimes(tx)
    mails.mendTimes(tx, { now, maxRetryMs })
  })
  return {
    config,
    log,
    accessLog,
    privatePaths,
    recentLog,
    clock,
    siteClock,
    keys,
    serverSettings: settings,
    db,
    commit,
    siteOrigin,
    warnings,
    async recordServer(origin) {
      const known = settings.isKnownKey(keys)
      const begun = settings.newSite(clock())
      warnings.begin([
        ...config.warnings,
        ...(known ? [] : [changedKey(config)]),
        ...(begun === null ? [] : [begun]),
      ])
      const isKnown = origin.configured || siteOrigin.read()?.configured === true
      const host = isKnown ? uidHost() : null
      await Promise.all([siteOrigin.record(origin), settings.record(config, keys, host)])
    },
    content,
    siteVersion: createSiteVersion({ db, content }),
    brand,
    mails,
    mailer,
    outbox,
    shares,
    jobs,
    timeline,
    createThread: options.createThread ?? ((thread) => createWorkerThread({ ...thread, log })),
    formProofs: createFormProofs({ db, keys, clock }),
    contributions,
    flushLog: flush,
    async close(closeFeatures) {
      siteClock.stop()
      await Promise.all([outbox.stop(), jobs.stop()])
      await closeFeatures()
      await content.close()
      mailer.close()
      await db.close()
      await flush()
    },
  }
}

const changedKey = ({ secretKey }: Config): string => {
  const changed =
    secretKey === null
      ? 'The key in DATA_DIR isn’t the one that this data was made with'
      : 'SECRET_KEY has changed and SECRET_KEY_OLD doesn’t contain the previous one'
  return `${changed}: access codes, sessions and links made with it no longer work.`
}

/**
 * Makes the keys of a server; those of the command line, which works beside it, refuse to be used where
 * they are others than the server's: what it made with them would never work.
 * @throws StartError for a server whose data was made with a key that is lost
 */
async function openKeys(
  config: Config,
  {
    db,
    clock,
    settings,
    onOtherSettings,
  }: {
    db: Database
    clock: () => number
    settings: ServerSettings
    onOtherSettings?: (text: string) => void
  },
): Promise<Keys> {
  const lost = settings.lostKey(config)
  if (lost !== null && !onOtherSettings) {
    await db.close()
    throw new StartError(lost)
  }
  const keys = lost === null ? createKeys(keySource(config, clock)) : unusableKeys(lost)
  if (!onOtherSettings) return keys
  const isOtherKey = lost === null && !settings.isSameKey(keys)
  const differing = [...(isOtherKey ? ['SECRET_KEY'] : []), ...settings.differences(config)]
  if (lost !== null) onOtherSettings(lost)
  if (differing.length > 0) onOtherSettings(otherSettings(differing))
  return isOtherKey
    ? unusableKeys(`This needs the server’s SECRET_KEY. ${otherSettings(['SECRET_KEY'])}`)
    : keys
}

const defaultLog = ({ logLevel, dataDir }: Config) => ({
  level: logLevel,
  pretty: process.stdout.isTTY,
  directory: logDirectory(dataDir),
})

/**
 * Health shows it to anyone where a site has left something, so without the path.
 * @param left names of what was left; numbers of its invoices would be given out again
 */
const newSiteText = (dataDir: string, left: readonly string[]) =>
  left.length === 0
    ? `No site was in ${dataDir} yet, so a new one begins there.`
    : `The database in DATA_DIR was missing, so a new site begins there, but a site was here: ${left.join(', ')} beside it. If you didn’t mean that, stop the server and put the database back, or go back to a backup: backup list shows them.`
