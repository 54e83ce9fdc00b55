import type { Command } from 'commander'
import { helsinki } from '#shared/helsinki-time.ts'
import * as options from './options.ts'
import type { ExportTo, Print, Row } from './print.ts'
import type { UseContext } from './command.ts'

type Span = { from?: number; to?: number }

const columns = ['day', 'what', 'page', 'count'] as const

/** `stats`: what the site counts of its visitors, without knowing any of them. */
export function addStats(program: Command, useContext: UseContext, print: Print): void {
  const stats = program.command('stats').description('how often pages were seen and used, by day')

  stats
    .command('list')
    .description('page views, what was done on pages, and decisions about cookies')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(options.json())
    .action(async ({ json, ...span }: Span & { json?: boolean }) => {
      print.listing(await rows(span), { json, none: 'Nothing was counted.' })
    })

  stats
    .command('export')
    .description('the same as a file')
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
