import { InvalidArgumentError, Option, type Command } from 'commander'
import { civilDate, dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { euros } from '#shared/money.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { printRows, rowOptions, type AskedRows } from './money-rows.ts'

/** `orders oss` and `orders oss-report`: sales to consumers in other EU countries. */
export function addOss(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('oss')
    .description('show yearly sales to consumers in other EU countries, and One Stop Shop status')
    .addOption(
      new Option(
        '--register <date>',
        'charge the buyer’s VAT from this day (YYYY-MM-DD)',
      ).argParser((text: string) => {
        const date = civilDate(text)
        if (date) return date
        throw new InvalidArgumentError('Use YYYY-MM-DD.')
      }),
    )
    .addOption(options.by())
    .addOption(options.json())
    .action(async ({ register, by, json }: { register?: string; by: string; json?: boolean }) => {
      const { features, clock } = await useContext()
      const { registrations } = features.shop
      if (register !== undefined) await registrations.registerOss(register, by)
      const from = registrations.ossFrom()
      const year = Number(dateAt(clock()).slice(0, 4))
      const { books } = features.orders
      const years = [year - 1, year].map(books.ossYear)
      if (json) {
        print.json({ registeredFrom: from, threshold: books.ossThreshold, years })
        return
      }
      print.listing(
        years.map((each) => ({
          year: each.year,
          net: euros(each.net),
          of: euros(books.ossThreshold),
          state: each.state,
        })),
        { none: '' },
      )
      print.line(
        from === null
          ? 'Not registered for the One Stop Shop: consumers pay Finnish VAT.'
          : `Registered for the One Stop Shop from ${longDate(from)}: consumers pay their own country’s VAT.`,
      )
    })

  rowOptions(
    orders
      .command('oss-report')
      .description(
        'One Stop Shop return for a quarter: one row per country, kind and rate, corrections apart',
      )
      .requiredOption('--quarter <quarter>', 'such as 2027-Q1', (text: string) => {
        if (/^20\d{2}-Q[1-4]$/.test(text)) return text
        throw new InvalidArgumentError('Use a year and quarter such as 2027-Q1.')
      }),
  ).action(async ({ quarter, ...flags }: { quarter: string } & AskedRows) => {
    const { books } = (await useContext()).features.orders
    const amounts = ['net', 'vat', 'gross']
    await printRows(print, books.ossReport(quarter), {
      columns: ['country', 'kind', 'rate', ...amounts, 'corrects'],
      amounts,
      ...flags,
    })
  })
}
