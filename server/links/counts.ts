import { helsinki } from '#shared/working-days.ts'
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
  devices: Map<string, number>
  lastAt: number
}

/** Sites beyond this number are counted as one, by link and day: anybody can invent hosts. */
const mostReferrers = 100
/** How many links are written in one transaction, so that none of them takes long. */
const batch = 500
/** Links that may wait; beyond, they are written at once. */
const mostWaiting = 50_000
const otherHosts = 'other sites'

/** The counts of links; the only place with their SQL. */
export type LinkCounts = ReturnType<typeof createLinkCounts>

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
  const add = db.prepare(`INSERT INTO link_counts VALUES (:link, :day, :facet, :name, :count)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`)
  const addKnown = db.prepare(`UPDATE link_counts SET count = count + :count
    WHERE link = :link AND day = :day AND facet = 'referrer' AND name = :name`)
  const referrersOf = db
    .prepare(
      `SELECT count(*) FROM link_counts WHERE link = :link AND day = :day AND facet = 'referrer'`,
    )
    .pluck()
  const byDay = db.prepare(`SELECT day, name, count FROM link_counts
    WHERE link = :link AND day >= :from AND facet = 'visit' ORDER BY day`)
  const byName = db.prepare(`SELECT name, sum(count) AS count FROM link_counts
    WHERE link = :link AND day >= :from AND facet = :facet GROUP BY name ORDER BY 2 DESC, 1 LIMIT 50`)

  let waiting = new Map<number, Waiting>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let today = ''
  let todayEnds = 0

  const write = (link: number, day: string, counted: Waiting) => {
    const { human, bot, spent, lastAt, devices, referrers } = counted
    // Nothing to count for a link that has been removed.
    if (addTotals.run({ link, human: human - spent, bot, lastAt }).changes === 0) return
    const facet = (name: string, of: 'visit' | 'device' | 'referrer', count: number) => {
      if (count > 0) add.run({ link, day, facet: of, name, count })
    }
    facet('human', 'visit', human)
    facet('bot', 'visit', bot)
    for (const [name, count] of devices) facet(name, 'device', count)
    for (const [name, count] of referrers) {
      if (addKnown.run({ link, day, name, count }).changes > 0) continue
      const full = (referrersOf.get({ link, day }) as number) >= mostReferrers
      facet(full ? otherHosts : name, 'referrer', count)
    }
  }
  const writeBatch = db.transaction((day: string, entries: [number, Waiting][]) => {
    for (const [link, counted] of entries) write(link, day, counted)
  })

  /** Writes what waits, `most` links of it. @returns whether that was all of it */
  const flushSome = (most: number): boolean => {
    const entries = waiting.size <= most ? [...waiting] : takeFirst(waiting, most)
    if (entries.length === 0) return true
    try {
      writeBatch.immediate(today, entries)
    } catch (error) {
      onError(error)
      return true
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
          devices: new Map(),
          lastAt: 0,
        }
        waiting.set(link, counted)
      }
      counted.lastAt = now
      if (human) {
        counted.human += 1
        if (spent) counted.spent += 1
        bump(counted.devices, device)
        const known = counted.referrers.size < mostReferrers || counted.referrers.has(referrer)
        bump(counted.referrers, known ? referrer : otherHosts)
      } else counted.bot += 1
      timer ??= setTimeout(inTurns, delay).unref()
    },

    /** Writes everything down now; before the counts are shown, and at the end. */
    flush,

    /** The counts since a day, YYYY-MM-DD; days without any are not among them. */
    since(link: number, from: string) {
      flush()
      const names = (facet: string) =>
        byName.all({ link, from, facet }) as { name: string; count: number }[]
      return {
        visits: byDay.all({ link, from }) as {
          day: string
          name: 'human' | 'bot'
          count: number
        }[],
        referrers: names('referrer'),
        devices: names('device'),
      }
    },
  }
}

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
