import { Argument, Option, type Command } from 'commander'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { SourceLine } from '#shared/analytics/statistics.ts'
import {
  listOptions,
  searchOptions,
  searched,
  type ListFlags,
  type SearchFlags,
} from './common/list.ts'
import * as options from './common/options.ts'
import type { ExportTo, Print, Row } from './common/print.ts'
import type { UseContext } from './common/command.ts'

type Span = { from?: number | undefined; to?: number | undefined }

/** What `stats show` adds up, each with the columns of its lines. */
const sums = {
  pages: ['kind', 'slug', 'title', 'views'],
  referrers: ['name', 'visits', 'enquiry', 'booking', 'order', 'subscription'],
  campaigns: ['name', 'visits', 'enquiry', 'booking', 'order', 'subscription'],
  landings: ['name', 'visits', 'enquiry', 'booking', 'order', 'subscription'],
  outcomes: ['by', 'name', 'visits', 'enquiry', 'booking', 'order', 'subscription'],
} as const

type Sum = keyof typeof sums

/** What `stats export` writes, by day, each with its columns. */
const exports = {
  counts: ['day', 'what', 'page', 'count'],
  reads: ['day', 'kind', 'slug', 'count'],
  visits: ['day', 'dimension', 'name', 'medium', 'campaign', 'event', 'count'],
} as const

/** `stats`: what the site counts of its visitors, without knowing any of them. */
export function addStats(stats: Command, useContext: UseContext, print: Print): void {
  searchOptions(stats.command('list'))
    .description('list page views, page events and cookie decisions, newest day first')
    .addOption(options.from())
    .addOption(options.to())
    .action(async ({ json, limit, search, since, ...span }: Span & SearchFlags) => {
      const found = await rows({ ...span, from: since ?? span.from })
      // A program reads days in their order, as an export has them.
      print.list(
        searched(json ? found : found.toReversed(), search, ({ what, page }) => [
          String(what),
          String(page ?? ''),
        ]),
        {
          json,
          limit,
          what: 'counts',
          none: 'No statistics found.',
          row: (row) => row,
          full: (row) => row,
        },
      )
    })

  listOptions(stats.command('show'))
    .description('total page views, traffic sources or outcomes')
    .addArgument(new Argument('<what>', 'what to total').choices(Object.keys(sums)))
    .addOption(options.from())
    .addOption(options.to())
    .addHelpText('after', '\nWithout --from: the last 30 days.')
    .action(async (what: Sum, { json, limit, from, to }: Span & ListFlags) => {
      print.list(await added(what, { from, to }), {
        json,
        limit,
        what,
        none: 'No statistics found.',
        row: (row) => row,
        full: (row) => row,
      })
    })

  stats
    .command('export')
    .description('export daily counts to a file')
    .addOption(
      new Option('--what <counts>', 'page events and cookie decisions, page views, or visits')
        .choices(Object.keys(exports))
        .default('counts'),
    )
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(options.out())
    .action(
      async ({
        from,
        to,
        what,
        ...rest
      }: Span & Omit<ExportTo, 'raw'> & { what: keyof typeof exports }) => {
        const { analytics } = (await useContext()).features
        const days = { from: '', to: '9999', ...daysOf({ from, to }) }
        const found = what === 'counts' ? await rows({ from, to }) : analytics[what].list(days)
        await print.export(found, { columns: exports[what], ...rest })
      },
    )

  /** The lines of `stats show`, the largest first. */
  async function added(what: Sum, span: Span): Promise<Row[]> {
    const { analytics } = (await useContext()).features
    const days = analytics.rangeOf(daysOf(span))
    if (what === 'pages') {
      return (await analytics.readLines(days)).map((line) => picked(line, sums.pages))
    }
    if (what !== 'outcomes') {
      const dimension = {
        referrers: 'referrer',
        campaigns: 'campaign',
        landings: 'landing',
      } as const
      return analytics.sourceLines(dimension[what], days).map((line) => picked(line, sums[what]))
    }
    return (['referrer', 'campaign', 'landing'] as const).flatMap((by) =>
      analytics
        .sourceLines(by, days)
        .filter(hasOutcome)
        .map((line) => picked({ by, ...line }, sums.outcomes)),
    )
  }

  async function rows(span: Span): Promise<Row[]> {
    const { analytics, consent } = (await useContext()).features
    const days = daysOf(span)
    const isAsked = (day: string) =>
      (!days.from || day >= days.from) && (!days.to || day <= days.to)
    const decisions = consent.counts
      .list()
      .filter(({ day }) => isAsked(day))
      .map(({ day, decision, count }) => ({ day, what: `cookies: ${decision}`, page: null, count }))
    const pages = analytics.counts
      .list(days)
      .map(({ day, event, page, count }) => ({ day, what: event, page, count }))
    return [...pages, ...decisions].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  }
}

/** The days of a span; its end is given as the first moment after it. */
const daysOf = ({ from, to }: Span): { from?: string; to?: string } => ({
  ...(from !== undefined && { from: helsinki(from).date }),
  ...(to !== undefined && { to: helsinki(to - 1).date }),
})

/** Whether visits of a source ended in anything. */
const hasOutcome = ({ enquiry, booking, order, subscription }: SourceLine): boolean =>
  enquiry + booking + order + subscription > 0

/** Some fields, in their order. */
const picked = (line: Row, keys: readonly string[]): Row =>
  Object.fromEntries(keys.map((key) => [key, line[key] ?? null]))
