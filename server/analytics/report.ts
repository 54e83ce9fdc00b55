import { addDays, addMonths, civilDate, datesFrom, daysBetween } from '#shared/dates/civil-dates.ts'
import { pageKindNames, type CountedEvent, type ReadKind } from '#shared/analytics/page-kinds.ts'
import {
  maxLines,
  type Period,
  type SiteStatistics,
  type SourceLine,
} from '#shared/analytics/statistics.ts'
import { otherName } from '#shared/analytics/visit-source.ts'
import type { PublishedPages } from './published.ts'
import type { Dimension } from './schema.ts'
import type { PageCounts, ReadCounts } from './store.ts'
import { unknownSource, type SourceCounts, type VisitCounts } from './visits.ts'

/** Days of Helsinki, both inclusive, as YYYY-MM-DD. */
export type DayRange = { from: string; to: string }

/** Days from which on a period is shown by month. */
const daysByDay = 93
/** Days of the longest period: as long as anything is kept. */
const maxPeriodDays = 5 * 366

/** What a report is made from. */
type Deps = {
  counts: PageCounts
  reads: ReadCounts
  visits: VisitCounts
  published: PublishedPages
}

/**
 * The days of a period; of one by days, the last {@link maxPeriodDays} of them. Without a right first day
 * it has 30 days.
 * @param today the day in Helsinki
 */
export function rangeOf(
  asked: { period?: Period | undefined; from?: string | undefined; to?: string | undefined },
  today: string,
): DayRange & { period: Period } {
  const from = civilDate(asked.from ?? '')
  const last = civilDate(asked.to ?? '') ?? today
  const to = last > today ? today : last
  const period = asked.period ?? (from ? 'custom' : '30d')
  if (period === '7d') return { period, from: addDays(today, -6), to: today }
  if (period === '12m')
    return { period, from: addMonths(`${today.slice(0, 7)}-01`, -11), to: today }
  if (period === '30d' || from === null) {
    const end = period === '30d' && asked.period ? today : to
    return { period: end === today ? '30d' : 'custom', from: addDays(end, -29), to: end }
  }
  const [first, end] = from <= to ? [from, to] : [to, from > today ? today : from]
  const earliest = addDays(end, -maxPeriodDays)
  return { period, from: first < earliest ? earliest : first, to: end }
}

/** The name of a source in words. */
export function sourceName(dimension: Dimension, source: Omit<SourceCounts, 'visits'>): string {
  const { name, medium, campaign } = source
  if (dimension === 'landing') return pageKindNames[name as keyof typeof pageKindNames] ?? name
  if (dimension === 'campaign') {
    const isOther = name === otherName && medium === '' && campaign === ''
    return isOther
      ? 'Other campaigns'
      : [name, medium, campaign].map((part) => part || '–').join(' / ')
  }
  if (name === '') return 'Direct'
  if (name === otherName) return 'Other sites'
  return name === unknownSource ? 'Unknown' : name
}

/** What visits of a dimension ended in, in words and numbers; most visits first. */
export const sourceLines = (
  visits: Pick<VisitCounts, 'sums'>,
  dimension: Dimension,
  days: DayRange,
): SourceLine[] =>
  visits.sums(dimension, days).map((source) => {
    const { visits: count, enquiry, booking, order, subscription } = source
    return {
      name: sourceName(dimension, source),
      visits: count,
      enquiry,
      booking,
      order,
      subscription,
    }
  })

/** What was read, with the titles of what is still published; most read first. */
export const readLines = (
  { reads, published }: Pick<Deps, 'reads' | 'published'>,
  days: DayRange,
) =>
  Promise.all(
    reads.sums(days).map(async ({ kind, slug, count }) => ({
      kind,
      slug,
      title: await published.title(kind, slug),
      views: count,
    })),
  )

/** The numbers of a period, as the desk shows them. */
export async function statisticsOf(deps: Deps, days: DayRange): Promise<SiteStatistics> {
  const { counts, visits } = deps
  const counted = counts.list(days)
  const sum = (event: CountedEvent) =>
    counted.reduce((total, row) => total + (row.event === event ? row.count : 0), 0)
  const views = counted.filter(({ event }) => event === 'view')
  const begun = visits.byDay(days)
  const top = (dimension: Dimension) => sourceLines(visits, dimension, days).slice(0, maxLines)
  return {
    from: days.from,
    to: days.to,
    totals: {
      views: sum('view'),
      visits: total(begun),
      enquiry: sum('contact_sent'),
      booking: sum('booking_requested'),
      order: sum('order_placed'),
      subscription: sum('newsletter_subscribed'),
    },
    over: overTime(days, views, begun),
    pages: [...added(views, ({ page }) => page)]
      .map(([page, count]) => ({ page, views: count }))
      .toSorted((a, b) => b.views - a.views),
    read: firstOfEach(await readLines(deps, days)),
    referrers: top('referrer'),
    campaigns: top('campaign'),
    landings: top('landing'),
  }
}

type Counted = { day: string; count: number }

const total = (rows: readonly Counted[]) => rows.reduce((sum, { count }) => sum + count, 0)

function added<Row extends { count: number }, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Map<Key, number> {
  const sums = new Map<Key, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count)
  return sums
}

/** Views and visits of every day, or of every month where there are many days. */
function overTime(
  { from, to }: DayRange,
  views: readonly Counted[],
  visits: readonly Counted[],
): SiteStatistics['over'] {
  const digits = daysBetween(from, to) < daysByDay ? 10 : 7
  const at = ({ day }: { day: string }) => day.slice(0, digits)
  const viewed = added(views, at)
  const begun = added(visits, at)
  const all = new Set(datesFrom(from, to).map((day) => day.slice(0, digits)))
  return [...all].map((each) => ({
    at: each,
    views: viewed.get(each) ?? 0,
    visits: begun.get(each) ?? 0,
  }))
}

/** The first lines of each kind. */
function firstOfEach<Line extends { kind: ReadKind }>(lines: readonly Line[]): Line[] {
  const taken = new Map<ReadKind, number>()
  return lines.filter(({ kind }) => {
    const before = taken.get(kind) ?? 0
    taken.set(kind, before + 1)
    return before < maxLines
  })
}
