import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { integer, query, text } from '../db/table.ts'
import { linkDays } from './schema.ts'
import type { Click, Device } from './click.ts'

/** How many rows are written in one transaction, so none of them takes long. */
const countsPerCommit = 500
/** How long sites that led to a link are known by name, in milliseconds. */
const namesMs = 730 * dayMs

/**
 * Counts clicks in memory and writes them down about once a second: a crash loses a second of
 * plain statistics, never a click of a link with a maximum, which `spend` writes itself.
 * @param onError called when the counts could not be written; they are retried
 */
export function createLinkCounts(
  db: Database,
  {
    clock,
    onError,
    delay = 1000,
  }: { clock: () => number; onError: (error: unknown) => void; delay?: number },
) {
  const forgetReferrers = db.prepareWrite(`DELETE FROM link_referrers WHERE (link, day, host) IN
    (SELECT link, day, host FROM link_referrers WHERE day < :day LIMIT ${batchSize})`)

  const since = readCounts(db)
  const recent = query(
    db,
    'SELECT day, human FROM link_days WHERE link = :link AND day >= :from AND human > 0',
    { day: text(), human: integer() },
  )
  const write = writeCounts(db)
  const buffer = createClickBuffer({ clock })
  let timer: ReturnType<typeof setTimeout> | null = null
  let flushing: Promise<void> | null = null

  const writeAll = async () => {
    while (!buffer.isEmpty()) {
      let taken: WaitingClicks[] = []
      try {
        const work = (tx: Transaction) => {
          taken = buffer.take(countsPerCommit)
          for (const counted of taken) write(tx, counted)
        }
        // Statistics may be lost with the power, so they are not flushed at once.
        await db.commit(work, { durable: false })
      } catch (error) {
        buffer.putBack(taken)
        onError(error)
        return
      }
    }
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    return (flushing ??= writeAll().finally(() => {
      flushing = null
      if (!buffer.isEmpty()) later()
    }))
  }
  const later = () => {
    timer ??= setTimeout(() => void flush(), delay).unref()
  }

  return {
    /**
     * Remembers a click.
     * @param spent that `spend` has added it to the link's total already
     */
    count(link: number, click: Click, spent = false): void {
      buffer.add(link, click, spent)
      later()
    },

    /**
     * Writes everything down now: before the counts are shown, and at the end. Resolves also when
     * the database does not take them, and they go on waiting.
     */
    flush,

    /** Forgets a batch of names of sites that led here long ago. @returns how many */
    forgetOld: (tx: Transaction): number =>
      forgetReferrers.run(tx, { day: helsinki(clock() - namesMs).date }).changes,

    since,

    /** People by day since a day, YYYY-MM-DD; days without any are not among them. */
    recent: (link: number, from: string) => recent.all({ link, from }),
  }
}

/** Clicks of one link on one day that are not written down yet. */
export type WaitingClicks = {
  link: number
  day: string
  human: number
  bot: number
  /** Of `human`, those that `spend` has added to the link already. */
  spent: number
  referrers: Map<string, number>
  devices: Record<Device, number>
  lastAt: number
}

/** Sites beyond this number are counted as one, by link and day: hosts are easily invented. */
export const maxReferrers = 100
/** The name under which they are counted. */
export const otherHosts = 'other sites'
/** Names of sites that wait in memory, of all links together; more are counted as one. */
const maxReferrerNames = 50_000

/** Creates an empty buffer: at most one entry per link and day, and a bounded number of names. */
export function createClickBuffer({ clock }: { clock: () => number }) {
  /** What waits, by link; and what waits from days that are over. */
  const current = new Map<number, WaitingClicks>()
  const older: WaitingClicks[] = []
  let names = 0
  let today = ''
  let todayEnds = 0

  const entryOf = (link: number): WaitingClicks => {
    const entry = current.get(link)
    if (entry?.day === today) return entry
    if (entry) older.push(entry)
    const fresh = nothing(link, today)
    current.set(link, fresh)
    return fresh
  }

  /** Takes one entry out. */
  const next = (): WaitingClicks | undefined => {
    const late = older.pop()
    if (late) return late
    const [entry] = current.values()
    if (entry) current.delete(entry.link)
    return entry
  }

  return {
    isEmpty: () => current.size === 0 && older.length === 0,

    /** Adds a click. @param spent that `spend` has added it to the link's total already */
    add(link: number, { human, referrer, device }: Click, spent: boolean): void {
      const now = clock()
      if (now >= todayEnds || now < todayEnds - 25 * hourMs) {
        ;({ today, todayEnds } = dayAt(now))
      }
      const entry = entryOf(link)
      entry.lastAt = now
      if (!human) {
        entry.bot += 1
        return
      }
      entry.human += 1
      if (spent) entry.spent += 1
      entry.devices[device] += 1
      if (referrer === '') return
      const { referrers } = entry
      const fits = referrers.size < maxReferrers && names < maxReferrerNames
      const name = fits || referrers.has(referrer) ? referrer : otherHosts
      const before = referrers.size
      referrers.set(name, (referrers.get(name) ?? 0) + 1)
      names += referrers.size - before
    },

    /** Takes entries out that make about so many rows, at least one entry if there is any. */
    take(rows: number): WaitingClicks[] {
      const taken: WaitingClicks[] = []
      let left = rows
      for (let entry = next(); entry; entry = left > 0 ? next() : undefined) {
        taken.push(entry)
        left -= 2 + entry.referrers.size
        names -= entry.referrers.size
      }
      return taken
    },

    /** Puts entries back that could not be written, in addition to what has come meanwhile. */
    putBack(entries: readonly WaitingClicks[]): void {
      for (const entry of entries) {
        const now = current.get(entry.link)
        names += entry.referrers.size
        if (!now) current.set(entry.link, entry)
        else if (now.day === entry.day) names -= addTo(now, entry)
        else older.push(entry)
      }
    },
  }
}

const nothing = (link: number, day: string): WaitingClicks => ({
  link,
  day,
  human: 0,
  bot: 0,
  spent: 0,
  referrers: new Map(),
  devices: { phone: 0, tablet: 0, computer: 0, other: 0 },
  lastAt: 0,
})

/** Adds counts to others of the same link and day. @returns how many names they have in common */
function addTo(entry: WaitingClicks, more: WaitingClicks): number {
  entry.human += more.human
  entry.bot += more.bot
  entry.spent += more.spent
  entry.lastAt = Math.max(entry.lastAt, more.lastAt)
  for (const device of Object.keys(more.devices) as Device[]) {
    entry.devices[device] += more.devices[device]
  }
  const apart = entry.referrers.size + more.referrers.size
  for (const [host, count] of more.referrers) {
    entry.referrers.set(host, (entry.referrers.get(host) ?? 0) + count)
  }
  return apart - entry.referrers.size
}

/** The date in Helsinki, and a moment until which it certainly holds, at most a quarter of an hour on. */
function dayAt(now: number): { today: string; todayEnds: number } {
  // Midnight in Helsinki falls on a quarter of an hour of every other clock.
  const quarter = 15 * 60_000
  return { today: helsinki(now).date, todayEnds: (Math.floor(now / quarter) + 1) * quarter }
}

/** Prepares the reading of what is counted of links. */
export function readCounts(db: Database) {
  const byDay = query(
    db,
    `SELECT day, human, bot FROM link_days WHERE link = :link AND day >= :from ORDER BY day`,
    { day: text(), human: integer(), bot: integer() },
  )
  const byDevice = query(
    db,
    `SELECT coalesce(sum(human), 0) AS human, coalesce(sum(phone), 0) AS phone,
      coalesce(sum(tablet), 0) AS tablet, coalesce(sum(computer), 0) AS computer,
      coalesce(sum(other), 0) AS other
    FROM link_days WHERE link = :link AND day >= :from`,
    {
      human: integer(),
      phone: integer(),
      tablet: integer(),
      computer: integer(),
      other: integer(),
    },
  )
  const byHost = query(
    db,
    `SELECT host AS name, sum(count) AS count FROM link_referrers
    WHERE link = :link AND day >= :from GROUP BY host ORDER BY 2 DESC, 1 LIMIT 50`,
    { name: text(), count: integer() },
  )
  const referred = query(
    db,
    `SELECT coalesce(sum(count), 0) AS count FROM link_referrers
    WHERE link = :link AND day >= :from`,
    { count: integer() },
  )

  /** The counts since a day, YYYY-MM-DD; days without any are not among them. */
  return (link: number, from: string) => {
    const { human, ...devices } = byDevice.get({ link, from })!
    const direct = human - referred.get({ link, from })!.count
    return {
      days: byDay.all({ link, from }),
      referrers: largestFirst([...byHost.all({ link, from }), { name: '', count: direct }]),
      devices: largestFirst(Object.entries(devices).map(([name, count]) => ({ name, count }))),
    }
  }
}

type Share = { name: string; count: number }

const largestFirst = (rows: readonly Share[]) =>
  rows.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)

/** Prepares the writing of what is counted of links. */
export function writeCounts(db: Database) {
  const addTotals = db.prepareWrite(`UPDATE links SET human = human + :human, bot = bot + :bot,
    last_click_at = max(coalesce(last_click_at, 0), :lastAt) WHERE id = :link`)
  const addDay = linkDays.insert(
    db,
    `ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot,
      phone = phone + excluded.phone, tablet = tablet + excluded.tablet,
      computer = computer + excluded.computer, other = other + excluded.other`,
  )
  const addReferrer = db.prepareWrite(`INSERT INTO link_referrers SELECT :link, :day, :host, :count
    WHERE EXISTS (SELECT 1 FROM link_referrers WHERE link = :link AND day = :day AND host = :host)
      OR :host = '${otherHosts}'
      OR (SELECT count(*) FROM link_referrers WHERE link = :link AND day = :day) < ${maxReferrers}
    ON CONFLICT DO UPDATE SET count = count + excluded.count`)

  /** Adds what is counted. Call inside a transaction. */
  return (tx: Transaction, counted: WaitingClicks): void => {
    const { link, day, human, bot, spent, lastAt, devices, referrers } = counted
    // Nothing to count for a link that has been removed.
    if (addTotals.run(tx, { link, human: human - spent, bot, lastAt }).changes === 0) return
    addDay(tx, { link, day, human, bot, ...devices })
    for (const [host, count] of referrers) {
      const { changes } = addReferrer.run(tx, { link, day, host, count })
      if (changes === 0) addReferrer.run(tx, { link, day, host: otherHosts, count })
    }
  }
}
