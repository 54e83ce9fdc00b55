import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { hourMs } from '#shared/durations.ts'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import type { Finding } from '#server/feature.ts'
import { keyWarning } from '#server/secret-key.ts'
import { withTimeout } from '#server/timeout.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import type { UseConfig, UseContext } from './command.ts'

const ok = (text: string): Finding => ({ state: 'ok', text })
const warn = (text: string): Finding => ({ state: 'warn', text })
const fail = (text: string): Finding => ({ state: 'fail', text })

const megabyte = 1024 * 1024

/** Milliseconds that a peer gets to answer. */
const checkTimeout = 10_000

/**
 * `doctor`: checks what the site needs, one line each.
 * @throws when something fails, after all lines
 */
export function addDoctor(
  program: Command,
  { useConfig, useContext }: { useConfig: UseConfig; useContext: UseContext },
  print: Print,
): void {
  program
    .command('doctor')
    .description('check configuration, database, disk, mail and content')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const findings: ({ check: string } & Finding)[] = []
      const note = async (check: string, look: () => Finding | Promise<Finding>) => {
        const finding = await Promise.resolve()
          .then(look)
          .catch((error: unknown) => fail((error as Error).message))
        findings.push({ check, ...finding })
        if (!json) print.line(`${finding.state.padEnd(5)}${check}: ${finding.text}`)
        return finding.state !== 'fail'
      }

      if (await note('configuration', () => (useConfig(), ok('readable')))) {
        const config = useConfig()
        await note('disk', () => disk(config))
        if (await note('database', async () => database(await useContext()))) {
          const context = await useContext()
          await note('address', () => address(context))
          await note('secret key', () => secretKey(config))
          await note('jobs', () => jobs(context))
          await note('outbox', () => backlog(context))
          await note('mail server', () => mailServer(context))
          await note('content', () => content(context))
          for (const { check, look } of context.contributions().doctor) await note(check, look)
        }
      }
      if (json) print.json(findings)
      const failed = findings.filter(({ state }) => state === 'fail').length
      if (failed > 0) throw new Error(`${failed} check(s) failed.`)
    })
}

function database({ db }: Context): Finding {
  const problems = db.prepare('PRAGMA quick_check(5)').pluck().get()
  if (problems !== 'ok') return fail(String(problems))
  const name = db.prepare('SELECT name FROM migrations ORDER BY number DESC LIMIT 1').pluck().get()
  return ok(`sound, at migration ${String(name)}`)
}

function address({ siteOrigin }: Context): Finding {
  const recorded = siteOrigin.read()
  if (!recorded) return warn('not known before a server has run')
  const { origin, configured } = recorded
  return configured ? ok(origin) : warn(`${origin}, since SITE_URL is not set for the server`)
}

async function disk({ dataDir }: Config): Promise<Finding> {
  if (!existsSync(dataDir)) return warn(`${dataDir} does not exist yet`)
  const { bavail, bsize } = await statfs(dataDir)
  const free = Math.floor((bavail * bsize) / megabyte)
  return (free < 200 ? fail : free < 1000 ? warn : ok)(`${free} MB free`)
}

function secretKey({ secretKey: given, dataDir }: Config): Finding {
  const weakness = keyWarning(given)
  if (weakness) return warn(weakness)
  if (given) return ok('from SECRET_KEY')
  const mode = statSync(join(dataDir, 'secret-key')).mode & 0o777
  return mode === 0o600
    ? ok('kept in DATA_DIR, readable by its owner alone')
    : fail(`the file secret-key has mode ${mode.toString(8)}; run chmod 600 on it`)
}

function jobs({ jobs: all }: Context): Finding {
  const { failing, late } = all.problemCounts()
  if (failing > 0) return warn(`${failing} fail again and again: pitlane jobs list`)
  if (late > 0) return warn(`${late} late: is the server running? pitlane jobs list`)
  return ok('none is late')
}

function backlog({ outbox, clock }: Context): Finding {
  const { queued, failed, oldest } = outbox.counts()
  if (failed > 0) return warn(`${failed} could not be delivered: pitlane mail list --failed`)
  if (oldest !== null && clock() - oldest > hourMs) {
    return warn(`${queued} waiting, the oldest for ${Math.floor((clock() - oldest) / hourMs)} h`)
  }
  return ok(`${queued} waiting`)
}

async function mailServer({ mailer, config }: Context): Promise<Finding> {
  if (mailer.mode === 'files') {
    return warn(`SMTP_URL is not set; mails become files in ${join(config.dataDir, 'mail')}`)
  }
  await within(mailer.verify(), 'the mail server did not answer')
  return ok('answers and takes the credentials')
}

async function content({ content: source, config }: Context): Promise<Finding> {
  const where = config.content?.url ?? config.contentDir
  const asked = await within(source.examine(), 'the content service did not answer').catch(
    (error: unknown) => (error as Error).message,
  )
  const outage = source.outage()
  if (outage) {
    return warn(`old since ${new Date(outage.since).toISOString()}: ${outage.why} (${where})`)
  }
  if (asked) return warn(`${asked} (${where})`)
  const rows = await within(source.rows('services'), 'the content service did not answer')
  return rows.length > 0
    ? ok(`${rows.length} services from ${where}`)
    : warn(`no services in ${where}`)
}

const within = <Value>(work: Promise<Value>, message: string): Promise<Value> =>
  withTimeout(work, checkTimeout, () => new Error(message))
