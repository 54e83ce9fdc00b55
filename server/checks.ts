import { constants, existsSync, statSync } from 'node:fs'
import { access, open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { minuteMs } from '#shared/dates/durations.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import type { Config } from './config.ts'
import type { Finding, Platform } from './feature.ts'
import { logDirectory, newestLog } from './logging/destination.ts'
import { stuckAfter } from './mail/outbox.ts'
import type { OpenPlatform } from './platform.ts'
import { keyWarning } from './secrets/secret-key.ts'
import { withTimeout } from './concurrency/timeout.ts'

/** The platform as a context has it. */
type OpenedPlatform = Omit<OpenPlatform, 'shut'>

/** A check of `doctor`; what it throws counts as a failure. */
export type Check = { check: string; look(): Finding | Promise<Finding> }

const ok = (text: string): Finding => ({ state: 'ok', text })
const warn = (text: string): Finding => ({ state: 'warn', text })
const fail = (text: string): Finding => ({ state: 'fail', text })

const megabyte = 1024 * 1024

/** Milliseconds that a peer gets to answer. */
const checkTimeout = 10_000

/** How much room there is; it needs no database. */
export const diskCheck = (config: Config): Check => ({ check: 'disk', look: () => disk(config) })

/** Whether the database is sound and can be written; the others are worth a look only if it is. */
export const databaseCheck = (platform: Pick<Platform, 'db'>): Check => ({
  check: 'database',
  look: () => database(platform),
})

/** What the platform checks, beside the checks that features give. */
export const platformChecks = (platform: OpenedPlatform): Check[] => [
  { check: 'address', look: () => address(platform) },
  { check: 'settings', look: () => settings(platform) },
  { check: 'clock', look: () => clock(platform) },
  { check: 'secret key', look: () => secretKey(platform.config) },
  { check: 'log files', look: () => logFiles(platform.config) },
  { check: 'jobs', look: () => jobs(platform) },
  { check: 'outbox', look: () => backlog(platform) },
  { check: 'mail server', look: () => mailServer(platform) },
  { check: 'content', look: () => content(platform) },
]

/** What can hardly be meant, here or in what the last server noticed. */
function settings({ warnings, config }: OpenedPlatform): Finding {
  const all = new Set([...config.warnings, ...warnings.recorded()])
  return all.size > 0 ? warn([...all].join(' ')) : ok('OK')
}

function clock({ siteClock }: OpenedPlatform): Finding {
  const doubt = siteClock.doubt()
  return doubt ? warn(doubt.text) : ok(officeTime(siteClock.now()))
}

async function database({ db }: Pick<Platform, 'db'>): Promise<Finding> {
  const problems = db.prepare('PRAGMA quick_check(5)').pluck().get()
  if (problems !== 'ok') return fail(String(problems))
  const refused = await db.proveWritable().then(
    () => null,
    (error: unknown) => (error as Error).message,
  )
  if (refused !== null) return fail(`can’t be written: ${refused}`)
  const name = db.prepare('SELECT name FROM migrations ORDER BY number DESC LIMIT 1').pluck().get()
  return ok(`OK, schema ${String(name)}`)
}

function address({ siteOrigin }: OpenedPlatform): Finding {
  const recorded = siteOrigin.read()
  if (!recorded) return warn('unknown until the server has run once')
  const { origin, configured } = recorded
  return configured ? ok(origin) : warn(`${origin}, because SITE_URL isn’t set for the server`)
}

async function disk({ dataDir }: Config): Promise<Finding> {
  if (!existsSync(dataDir)) return warn(`${dataDir} doesn’t exist yet`)
  const { bavail, bsize } = await statfs(dataDir)
  const free = Math.floor((bavail * bsize) / megabyte)
  return (free < 200 ? fail : free < 1000 ? warn : ok)(`${free} MB free`)
}

function secretKey({ secretKey: given, dataDir }: Config): Finding {
  const weakness = keyWarning(given)
  if (weakness) return warn(weakness)
  if (given) return ok('from SECRET_KEY')
  const file = statSync(join(dataDir, 'secret-key'), { throwIfNoEntry: false })
  if (!file) return fail('missing in DATA_DIR: put the file secret-key back, or set SECRET_KEY')
  const mode = file.mode & 0o777
  return mode === 0o600
    ? ok('in DATA_DIR, readable only by its owner')
    : fail(`the file secret-key has mode ${mode.toString(8)}; run chmod 600 on it`)
}

/** Whether the server can go on with its log files; it says so itself only where they aren't read. */
async function logFiles({ dataDir }: Config): Promise<Finding> {
  const directory = logDirectory(dataDir)
  try {
    // It begins a new file there as each one is full.
    await access(directory, constants.W_OK | constants.X_OK)
    const file = await open(newestLog(directory), constants.O_WRONLY | constants.O_APPEND)
    const { mtimeMs } = await file.stat().finally(() => file.close())
    return ok(`last written ${officeTime(mtimeMs)}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ok('none yet')
    return warn(
      `can’t be written to ${directory}: ${message}. Check its owner, and that its disk isn’t read-only.`,
    )
  }
}

function jobs({ jobs: all }: OpenedPlatform): Finding {
  const { failing, late } = all.problemCounts()
  if (failing > 0) return warn(`${failing} keep failing: pitlane jobs list`)
  if (late > 0) return warn(`${late} overdue: is the server running? pitlane jobs list`)
  return ok('no overdue jobs')
}

function backlog({ outbox, mails }: OpenedPlatform): Finding {
  const { queued, failed } = outbox.counts()
  if (failed > 0) return warn(`${failed} undelivered: pitlane mail list --failed`)
  const stuck = outbox.stuckFor()
  if (stuck > stuckAfter) {
    const minutes = Math.floor(stuck / minuteMs)
    const since = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
    const reply = mails.unsentReply()
    return warn(`${queued} queued, the oldest for ${since}${reply ? `, since: ${reply}` : ''}`)
  }
  return ok(`${queued} waiting`)
}

async function mailServer({ mailer, config }: OpenedPlatform): Promise<Finding> {
  if (mailer.mode === 'files') {
    return warn(`SMTP_URL isn’t set; emails are written to ${join(config.dataDir, 'mail')}`)
  }
  await within(mailer.verify(), 'the mail server isn’t responding')
  return ok('reachable, login OK')
}

async function content({ content: source, config }: OpenedPlatform): Promise<Finding> {
  const where = config.content?.url ?? config.contentDir
  const asked = await within(source.examine(), 'the content service isn’t responding').catch(
    (error: unknown) => (error as Error).message,
  )
  const outage = source.outage()
  if (outage) {
    return warn(`old since ${new Date(outage.since).toISOString()}: ${outage.why} (${where})`)
  }
  if (asked) return warn(`${asked} (${where})`)
  const rows = await within(source.rows('services'), 'the content service isn’t responding')
  const lack = source.lack()
  if (lack) return warn(`${lack.why} (${where})`)
  return rows.length > 0
    ? ok(`${rows.length} services from ${where}`)
    : warn(`no services in ${where}`)
}

const within = <Value>(work: Promise<Value>, message: string): Promise<Value> =>
  withTimeout(work, checkTimeout, () => new Error(message))
