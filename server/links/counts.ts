import { helsinki } from '#shared/helsinki-time.ts'
import type { Database } from '../db/open.ts'

/** One click, as far as it is remembered. */
export type Click = {
  human: boolean
  /** Host that led here, empty when none is known. */
  referrer: string
  device: Device
}

/** What somebody looked at the link with. */
export type Device = 'phone' | 'tablet' | 'computer' | 'other'

/** Clicks of one link on one day that are not written down yet. */
type Waiting = {
  human: number
  bot: number
  /** Of `human`, those that `spend` has added to the link already. */
  spent: number
  referrers: Map<string, number>
  devices: Record<Device, number>
  lastAt: number
}

/** Sites beyond this number are counted as one, by link and day: anybody can invent hosts. */
const mostReferrers = 100
/** How many links are written in one transaction, so that none of them takes long. */
const batch = 500
/** Links that may wait; beyond, they are written at once. */
const mostWaiting = 50_000
const otherHosts = 'other sites'

/**
 * Counts clicks in memory and writes them down about once a second: a crash loses a second of
 * plain statistics, never a click of a link with a maximum, which `spend` writes itself.
 * @param onError told when the database did not take the counts; they are tried again
 */
export function createLinkCounts(
  db: Database,
  {
    clock,
    onError,
    delay = 1000,
  }: { clock: () => number; onError: (error: unknown) => void; delay?: number },
) {
  const addTotals = db.prepare(`UPDATE links SET human = human + :human, bot = bot + :bot,
    last_click_at = max(coalesce(last_click_at, 0), :lastAt) WHERE id = :link`)
  const addDay = db.prepare(`INSERT INTO link_days
    VALUES (:link, :day, :human, :bot, :phone, :tablet, :computer, :other)
    ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot,
      phone = phone + excluded.phone, tablet = tablet + excluded.tablet,
      computer = computer + excluded.computer, other = other + excluded.other`)
  const addReferrer = db.prepare(`INSERT INTO link_referrers SELECT :link, :day, :host, :count
    WHERE EXISTS (SELECT 1 FROM link_referrers WHERE link = :link AND day = :day AND host = :host)
      OR :host = '${otherHosts}'
      OR (SELECT count(*) FROM link_referrers WHERE link = :link AND day = :day) < ${mostReferrers}
    ON CONFLICT DO UPDATE SET count = count + excluded.count`)
  const byDay = db.prepare(`SELECT day, human, bot FROM link_days
    WHERE link = :link AND day >= :from ORDER BY day`)
  const byDevice = db.prepare(`SELECT sum(human) AS human, sum(phone) AS phone,
      sum(tablet) AS tablet, sum(computer) AS computer, sum(other) AS other
    FROM link_days WHERE link = :link AND day >= :from`)
  const byHost = db.prepare(`SELECT host AS name, sum(count) AS count FROM link_referrers
    WHERE link = :link AND day >= :from GROUP BY host ORDER BY 2 DESC, 1 LIMIT 50`)
  const known = db
    .prepare('SELECT sum(count) FROM link_referrers WHERE link = :link AND day >= :from')
    .pluck()

  let waiting = new Map<number, Waiting>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let today = ''
  let todayEnds = 0

  const write = (link: number, day: string, counted: Waiting) => {
    const { human, bot, spent, lastAt, devices, referrers } = counted
    // Nothing to count for a link that has been removed.
    if (addTotals.run({ link, human: human - spent, bot, lastAt }).changes === 0) return
    addDay.run({ link, day, human, bot, ...devices })
    for (const [host, count] of referrers) {
      const { changes } = addReferrer.run({ link, day, host, count })
      if (changes === 0) addReferrer.run({ link, day, host: otherHosts, count })
    }
  }
  const writeBatch = db.transaction((day: string, entries: [number, Waiting][]) => {
    for (const [link, counted] of entries) write(link, day, counted)
  })

  /** Writes what waits, `most` links of it. @returns whether that was all of it */
  const flushSome = (most: number): boolean => {
    const entries = waiting.size <= most ? [...waiting] : takeFirst(waiting, most)
    if (entries.length === 0) return true
    // Statistics may be lost with the power, so that nobody waits for the disk on their account.
    const relaxed = !db.inTransaction
    try {
      if (relaxed) db.pragma('synchronous = NORMAL')
      writeBatch.immediate(today, entries)
    } catch (error) {
      onError(error)
      return true
    } finally {
      if (relaxed) db.pragma('synchronous = FULL')
    }
    if (entries.length === waiting.size) waiting = new Map()
    else for (const [link] of entries) waiting.delete(link)
    return waiting.size === 0
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    flushSome(Infinity)
  }
  const inTurns = () => {
    timer = null
    if (flushSome(batch)) {
      if (waiting.size > 0) timer = setTimeout(inTurns, delay).unref()
    } else timer = setTimeout(inTurns, 0).unref()
  }

  return {
    /**
     * Remembers a click.
     * @param spent that `spend` has added it to the link's total already
     */
    count(link: number, { human, referrer, device }: Click, spent = false): void {
      const now = clock()
      if (now >= todayEnds || now < todayEnds - 25 * 3_600_000) {
        flush()
        ;({ today, todayEnds } = dayAt(now))
      }
      let counted = waiting.get(link)
      if (!counted) {
        if (waiting.size >= mostWaiting) flush()
        counted = {
          human: 0,
          bot: 0,
          spent: 0,
          referrers: new Map(),
          devices: { phone: 0, tablet: 0, computer: 0, other: 0 },
          lastAt: 0,
        }
        waiting.set(link, counted)
      }
      counted.lastAt = now
      if (human) {
        counted.human += 1
        if (spent) counted.spent += 1
        counted.devices[device] += 1
        if (referrer !== '') {
          const fits = counted.referrers.size < mostReferrers || counted.referrers.has(referrer)
          bump(counted.referrers, fits ? referrer : otherHosts)
        }
      } else counted.bot += 1
      timer ??= setTimeout(inTurns, delay).unref()
    },

    /** Writes everything down now; before the counts are shown, and at the end. */
    flush,

    /** The counts since a day, YYYY-MM-DD; days without any are not among them. */
    since(link: number, from: string) {
      flush()
      const { human, ...devices } = byDevice.get({ link, from }) as Record<
        Device | 'human',
        number | null
      >
      const referred = (known.get({ link, from }) as number | null) ?? 0
      const rows = [
        ...(byHost.all({ link, from }) as Share[]),
        { name: '', count: (human ?? 0) - referred },
      ]
      return {
        days: byDay.all({ link, from }) as { day: string; human: number; bot: number }[],
        referrers: mostFirst(rows),
        devices: mostFirst(
          Object.entries(devices).map(([name, count]) => ({ name, count: count ?? 0 })),
        ),
      }
    },
  }
}

type Share = { name: string; count: number }

const mostFirst = (rows: readonly Share[]) =>
  rows.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)

const bump = (counts: Map<string, number>, name: string) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

function takeFirst(map: Map<number, Waiting>, most: number): [number, Waiting][] {
  const taken: [number, Waiting][] = []
  for (const entry of map) {
    if (taken.length === most) break
    taken.push(entry)
  }
  return taken
}

/** The date in Helsinki, and a moment until which it certainly holds, at most a quarter of an hour on. */
function dayAt(now: number): { today: string; todayEnds: number } {
  // Midnight in Helsinki falls on a quarter of an hour of every other clock.
  const quarter = 15 * 60_000
  return { today: helsinki(now).date, todayEnds: (Math.floor(now / quarter) + 1) * quarter }
}
