import type { Command } from 'commander'
import { helsinki } from '#shared/helsinki-time.ts'
import { searchOptions, searched, type SearchFlags } from './common/list.ts'
import * as options from './common/options.ts'
import type { ExportTo, Print, Row } from './common/print.ts'
import type { UseContext } from './common/command.ts'

type Span = { from?: number | undefined; to?: number | undefined }

const columns = ['day', 'what', 'page', 'count'] as const

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

  stats
    .command('export')
    .description('export the same data to a file')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(options.out())
    .action(async ({ from, to, ...rest }: Span & Omit<ExportTo, 'raw'>) => {
      await print.export(await rows({ from, to }), { columns, ...rest })
    })

  async function rows({ from, to }: Span): Promise<Row[]> {
    const { analytics, consent } = (await useContext()).features
    const days = {
      ...(from !== undefined && { from: helsinki(from).date }),
      // The end is given as the first moment after it.
      ...(to !== undefined && { to: helsinki(to - 1).date }),
    }
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
