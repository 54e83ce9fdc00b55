import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { databaseFile } from '#server/db/open.ts'
import { median, startEnvironment } from './load.ts'

const root = join(import.meta.dirname, '../..')
const start = join(root, 'cli/start.js')

/** Runs of each command that count; the first ones fill the cache of compiled code. */
const rounds = 9

/** What is measured, by the words after the program's name. */
const commands = {
  'pitlane --help': ['--help'],
  'pitlane tickets --help': ['tickets', '--help'],
  'pitlane tickets list, of 20 000': ['tickets', 'list'],
  'pitlane orders list': ['orders', 'list'],
  'pitlane links list': ['links', 'list'],
} as const

/** Processor seconds of a call of the command line, and of `node -e 0` beside it. */
type Measured = { name: string; seconds: number; empty: number; isHelp: boolean }

/** Processor time of the command line on a site with 20 000 tickets: medians, in turn with `node -e 0`. */
export async function commandLine(work: string): Promise<Measured[]> {
  const env = { ...process.env, ...startEnvironment, DATA_DIR: mkdtempSync(join(work, 'cli-')) }
  // Makes the database.
  await processorSeconds([start, 'tickets', 'list'], env)
  fill(env.DATA_DIR)
  const measured: Measured[] = []
  for (const [name, args] of Object.entries(commands)) {
    const ours: number[] = []
    const empty: number[] = []
    for (let round = 0; round < rounds + 2; round += 1) {
      const [spent, nothing] = [
        await processorSeconds([start, ...args], env),
        await processorSeconds(['-e', '0'], env),
      ]
      if (round < 2) continue
      ours.push(spent)
      empty.push(nothing)
    }
    const isHelp = args.some((word) => word === '--help')
    measured.push({ name, seconds: median(ours), empty: median(empty), isHelp })
  }
  return measured
}

function fill(dataDir: string): void {
  const db = new Database(databaseFile(dataDir))
  db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO tickets (ticket_id, status, name, email, subject, message, sent_at, received_at,
      due_at, content_hash, network, proven)
    SELECT printf('t%05x', i), 'new', 'Aino', printf('a%d@example.com', i), 'Subject', 'Message',
      '2026-01-01T00:00:00.000Z', 1767225600000 + i, 1767225600000 + i, 'h', 'n', 1 FROM n`)
  db.close()
}

/** What a process of this Node took of the processor, in seconds, by the shell's own clock. */
async function processorSeconds(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const script = '"$@" > /dev/null; status=$?; times; exit $status'
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  // The second line is that of children: user and system time, as 0m0.123s each.
  const [, ofChildren = ''] = text.split('\n')
  return Array.from(ofChildren.matchAll(/(\d+)m([\d.]+)s/g)).reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}
