import { hourMs } from '#shared/durations.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import type { Click, Device } from './click.ts'

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
export const mostReferrers = 100
/** The name under which they are counted. */
export const otherHosts = 'other sites'
/** Names of sites that wait in memory, of all links together; more are counted as one. */
const mostNames = 50_000

/** Makes an empty buffer. It holds at most one entry for each link and day, and a bounded number of names. */
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
      const fits = referrers.size < mostReferrers && names < mostNames
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

    /** Puts entries back that could not be written, beside what has come meanwhile. */
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
