import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import type { Transaction } from './db/group-commit.ts'
import type { Database } from './db/open.ts'
import { integer, nullable, query } from './db/table.ts'

/** Why the clock of this machine isn't trusted. */
export type ClockDoubt = {
  readonly direction: 'ahead' | 'behind'
  /** What the clock says; milliseconds of the epoch. */
  readonly says: number
  /** The time we can vouch for: the last trusted one, plus the time that has passed while running. */
  readonly vouched: number
  /** A sentence for staff: what is wrong, what waits, what to do. */
  readonly text: string
}

/**
 * The time of the site, and whether it can be trusted. A clock that is suddenly years ahead would have
 * everything deleted whose time is over, so whatever destroys by time asks here first; jobs do so
 * unless their definition says otherwise.
 */
export type SiteClock = {
  /**
   * Milliseconds of the epoch. Every rule takes its time from here. It never falls far behind a time
   * that was trusted once, so what has expired stays expired when the clock is set back.
   */
  now(): number
  /** Why the clock isn't trusted now; null while it is. */
  doubt(): ClockDoubt | null
  /** Writes down what the clock says, looks for a confirmation of a clock in doubt, and mends due times. */
  look(): Promise<void>
  /**
   * Trusts the clock as it is, because a person says so. Works from any process.
   * @param also done in the same transaction
   */
  accept(also?: (tx: Transaction) => void): Promise<void>
  /** Mends due times that a wrong clock has set, in the transaction of each look. */
  onLook(mend: (tx: Transaction, now: number) => void): void
  /** Looks every minute. Twice is harmless. */
  start(): void
  stop(): void
}

/** Milliseconds between two looks. */
const lookEvery = minuteMs

/** How far the clock may be ahead of the time we can vouch for, and behind it. */
const maxAhead = dayMs
const maxBehind = hourMs

/**
 * Before this day no site ran: a clock that says less was never set, as on a machine without a battery
 * whose time service hasn't answered yet. Prices, for one, have no VAT rate that long ago.
 */
const firstDay = Date.UTC(2026, 0, 1)

/** How long a server has to run steadily with a clock in doubt until it is trusted. */
const steadyMs = dayMs

/**
 * Makes the clock of a site; the only place with its SQL, but for what a restore takes over.
 * @param options `wall` is the clock of the machine; `steady` counts milliseconds and is never set;
 *   `confirm` tells who else vouches for the wall clock, or null
 */
export function createSiteClock({
  db,
  wall,
  steady,
  confirm,
  log,
}: {
  db: Database
  wall: () => number
  steady: () => number
  confirm: () => Promise<string | null>
  log: Logger
}): SiteClock {
  const select = query(
    db,
    'SELECT trusted_at AS trustedAt, doubted_at AS doubtedAt, doubted_ms AS doubtedMs FROM clock',
    { trustedAt: integer(), doubtedAt: nullable(integer()), doubtedMs: integer() },
  )
  const save = db.prepareWrite(`INSERT INTO clock VALUES (1, :trustedAt, :doubtedAt, :doubtedMs)
    ON CONFLICT (only) DO UPDATE SET trusted_at = :trustedAt, doubted_at = :doubtedAt,
      doubted_ms = :doubtedMs`)
  const read = () => select.get()

  const mends: ((tx: Transaction, now: number) => void)[] = []
  /** The last trusted time, and what the steady clock said then. */
  let anchor = { at: Math.max(read()?.trustedAt ?? wall(), firstDay), steady: steady() }
  const neverRan = read() === null && wall() < firstDay
  /** A clock in doubt at the last look, and for how long it has run steadily. */
  let doubted: { at: number; steady: number; ms: number } | null = null
  let reported: ClockDoubt['direction'] | null = null
  let timer: NodeJS.Timeout | undefined

  // Whole milliseconds: the steady clock has fractions, which neither dates nor the database take.
  const vouched = () => Math.round(anchor.at + (steady() - anchor.steady))
  const directionOf = (says: number, known: number): ClockDoubt['direction'] | null =>
    says > known + maxAhead ? 'ahead' : says < known - maxBehind ? 'behind' : null

  /** Which way the clock is off. What another process has accepted meanwhile counts here, too. */
  const direction = (): ClockDoubt['direction'] | null => {
    const says = wall()
    const found = directionOf(says, vouched())
    if (found === null || !db.isOpen()) return found
    const row = read()
    if (!row || row.doubtedAt !== null || directionOf(says, row.trustedAt) !== null) return found
    anchor = { at: says, steady: steady() }
    return null
  }

  const trust = (tx: Transaction) => {
    anchor = { at: wall(), steady: steady() }
    doubted = null
    save.run(tx, { trustedAt: anchor.at, doubtedAt: null, doubtedMs: 0 })
  }

  /** How long the clock in doubt has run steadily, servers before this one included. */
  const steadyFor = (): number => {
    const says = wall()
    const goesOn = (from: number, passed: number) =>
      says >= from + passed - maxBehind && says <= from + passed + maxAhead
    if (doubted) {
      const passed = steady() - doubted.steady
      return goesOn(doubted.at, passed) ? doubted.ms + passed : 0
    }
    const row = read()
    return row && row.doubtedAt !== null && goesOn(row.doubtedAt, 0) ? row.doubtedMs : 0
  }

  const now = () => {
    const [says, known] = [wall(), vouched()]
    return says < known - maxBehind ? known : says
  }

  const write = (tx: Transaction): 'trusted' | 'doubted' | 'steady' => {
    let outcome: 'trusted' | 'doubted' | 'steady' = 'trusted'
    if (direction() === null) trust(tx)
    else {
      const ms = steadyFor()
      outcome = ms >= steadyMs ? 'steady' : 'doubted'
      if (outcome === 'steady') trust(tx)
      else {
        doubted = { at: wall(), steady: steady(), ms }
        const trustedAt = Math.max(read()?.trustedAt ?? 0, vouched())
        save.run(tx, { trustedAt, doubtedAt: doubted.at, doubtedMs: Math.round(ms) })
      }
    }
    for (const mend of mends) mend(tx, now())
    return outcome
  }

  const doubt = (): ClockDoubt | null => {
    const off = direction()
    if (off === null) return null
    const [says, known] = [wall(), vouched()]
    const waits = 'Nothing is deleted, expired or chased by date until the clock is confirmed.'
    const todo =
      'Check the machine’s clock, then run "pitlane doctor --accept-clock". After a day of steady running the clock is accepted anyway.'
    const but =
      neverRan && off === 'behind'
        ? 'which is before this site was made'
        : `but the site last ran until ${officeTime(known)}`
    return {
      direction: off,
      says,
      vouched: known,
      text: `The clock says ${officeTime(says)}, ${but}. ${waits} ${todo}`,
    }
  }

  const look = async () => {
    const outcome = await db.commit(write, { durable: false })
    const witness = outcome === 'doubted' ? await confirm() : null
    if (witness !== null) await db.commit(trust)
    const found = outcome === 'doubted' && witness === null ? doubt() : null
    if (found && reported !== found.direction) log.error({ clock: found.direction }, found.text)
    if (witness !== null) log.info({ witness }, 'clock confirmed by a time service')
    else if (outcome === 'steady') log.warn('clock accepted after a day of steady running')
    else if (!found && reported !== null) log.info('clock trusted again')
    reported = found?.direction ?? null
  }

  return {
    now,
    doubt,
    look,
    async accept(also) {
      await db.commit((tx) => {
        trust(tx)
        also?.(tx)
        for (const mend of mends) mend(tx, now())
      })
    },
    onLook: (mend) => void mends.push(mend),
    start() {
      if (timer) return
      const again = () =>
        void look().catch((err: unknown) => log.warn({ err }, 'clock reading not saved'))
      timer = setInterval(again, lookEvery).unref()
      again()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** What systemd-timesyncd touches whenever it has set the clock by a server (systemd-timesyncd(8)). */
const synchronizedFile = '/run/systemd/timesync/synchronized'

/**
 * Who confirms the clock of this machine: a time service that has set it lately. The file can be
 * mounted into a container; `timedatectl` also knows of chrony and ntpd.
 * @returns its name, or null when none can be asked or none has
 */
export async function confirmedByTimeService(): Promise<string | null> {
  const touched = await stat(synchronizedFile).catch(() => null)
  const age = touched && Date.now() - touched.mtimeMs
  if (age !== null && age > -minuteMs && age < dayMs) return 'systemd-timesyncd'
  try {
    const args = ['show', '--property=NTPSynchronized', '--value']
    const { stdout } = await promisify(execFile)('timedatectl', args, { timeout: 3_000 })
    return stdout.trim() === 'yes' ? 'timedatectl' : null
  } catch {
    return null
  }
}
