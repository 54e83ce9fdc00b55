import { dayMs } from '#shared/dates/durations.ts'
import { deadAfter } from '#shared/link-rules.ts'
import { sparkDays, type LinkStatistics, type ShownLink } from '#shared/links.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { Links } from './links.ts'
import type { Link } from './schema.ts'
import { hostOf } from './targets.ts'

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** A link as staff see it at a moment. */
export function showLink(
  links: Pick<Links, 'state' | 'addressOf' | 'recent'>,
  link: Link,
  now: number,
): ShownLink {
  return {
    code: link.code,
    address: links.addressOf(link),
    target: link.target,
    host: hostOf(link.target),
    note: link.note,
    state: links.state(link),
    author: link.author,
    createdAt: new Date(link.createdAt).toISOString(),
    startsAt: iso(link.startsAt),
    expiresAt: iso(link.expiresAt),
    maxClicks: link.maxClicks,
    forwardQuery: link.forwardQuery,
    utm: link.utm,
    tags: link.tags,
    hasPassword: link.password !== null,
    dead: deadProblem(link),
    clicks: { human: link.human, bot: link.bot, recent: recentClicks(links, link, now) },
    lastClickAt: iso(link.lastClickAt),
  }
}

/** What is wrong with a link's target, once it has failed often enough; else null. */
export const deadProblem = ({ failures, problem }: Pick<Link, 'failures' | 'problem'>) =>
  failures >= deadAfter ? problem : null

/** People in each of the last {@link sparkDays} days, today last. */
export function recentClicks(links: Pick<Links, 'recent'>, { id }: Link, now: number): number[] {
  const days = lastDays(now, sparkDays)
  const counted = new Map(links.recent(id, days[0]!).map(({ day, human }) => [day, human]))
  return days.map((day) => counted.get(day) ?? 0)
}

/** What became of a link in the days up to now. Writes down first what waits in memory. */
export async function statisticsOf(
  links: Links,
  code: string,
  days: number,
  now: number,
): Promise<LinkStatistics | null> {
  await links.settleCounts()
  const link = links.find(code)
  if (!link) return null
  const range = lastDays(now, days)
  const { days: counted, referrers, devices } = links.countsSince(link.id, range[0]!)
  const byDay = new Map(counted.map((each) => [each.day, each]))
  const all = range.map((day) => byDay.get(day) ?? { day, human: 0, bot: 0 })
  return { link: showLink(links, link, now), days: all, referrers, devices }
}

/** The last dates in Helsinki, oldest first, today included. */
function lastDays(now: number, count: number): string[] {
  const today = Date.parse(helsinki(now).date)
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}
