import { InvalidArgumentError, Option, type Command } from 'commander'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { monthName } from '#shared/dates/date-format.ts'
import { decimal, euros } from '#shared/money.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import type { ExportTo, Print } from '../common/print.ts'
import { day, mustFind } from './lookup.ts'
import { printRows, rowOptions, type AskedRows } from './money-rows.ts'

const month = () =>
  new Option('--month <month>', 'such as 2026-11')
    .conflicts(['from', 'to'])
    .argParser((text: string) => {
      if (/^20\d{2}-(?:0[1-9]|1[0-2])$/.test(text)) return text
      throw new InvalidArgumentError('Use a year and month such as 2026-11.')
    })

/** `orders books`, `vat-return`, `eu-sales-list`, `stock-list`, `collection` and `waive`. */
export function addBooks(orders: Command, useContext: UseContext, print: Print): void {
  rowOptions(
    orders
      .command('books')
      .description(
        'ledger: a row per document, supply and rate, and per payment, fee and charge, with its account',
      )
      .addOption(month())
      .addOption(options.from())
      .addOption(options.to()),
  ).action(
    async (
      {
        month: only,
        from,
        to,
        ...flags
      }: { month?: string; from?: number; to?: number } & AskedRows,
      verb: Command,
    ) => {
      if (only === undefined && from === undefined) {
        verb.error('error: say which days: --month, or --from and --to.', { exitCode: 2 })
      }
      const context = await useContext()
      const { books } = context.features.orders
      const days =
        only === undefined
          ? { from: dateAt(from!), to: dateAt((to ?? context.clock() + 1) - 1) }
          : books.daysOf(only)
      await printRows(print, books.ledger(days), {
        columns: books.ledgerColumns,
        amounts: books.amounts,
        ...flags,
      })
    },
  )

  orders
    .command('vat-return')
    .description(
      'the shop’s figures for a month’s Finnish VAT return, box by box; with --format or --out as a file',
    )
    .addOption(month().makeOptionMandatory())
    .addOption(options.json())
    // Without one it's read on the screen.
    .addOption(options.format().default(undefined).conflicts('json'))
    .addOption(options.out().conflicts('json'))
    .action(async ({ month: of, json, format, out }: AskedVatReturn) => {
      const { books } = (await useContext()).features.orders
      const found = books.vatReturn(of)
      if (json) {
        print.json(found)
        return
      }
      const rows = found.boxes.map(({ box, name, finnish, amount }) => ({
        box,
        name,
        omavero: finnish,
        amount: decimal(amount),
      }))
      if (format !== undefined || out !== undefined) {
        await print.export(
          rows.map((row) => ({ month: of, ...row })),
          {
            columns: ['month', 'box', 'name', 'omavero', 'amount'],
            amounts: ['amount'],
            format: format ?? 'csv',
            out,
          },
        )
        return
      }
      print.line(`VAT return of ${monthName(of)}`)
      print.listing(rows, { none: '' })
      const { net, vat } = found.oneStopShop
      print.line(
        `Beside it, through the One Stop Shop: ${euros(net)} of sales with ${euros(vat)} VAT (orders oss-report).`,
      )
      print.line('Purchases and the VAT to deduct come from the bookkeeper.')
    })

  rowOptions(
    orders
      .command('eu-sales-list')
      .description('EC sales list for a month: sales to EU companies by VAT number')
      .addOption(month().makeOptionMandatory()),
  ).action(async ({ month: of, ...flags }: { month: string } & AskedRows) => {
    const { books } = (await useContext()).features.orders
    const amounts = ['goods', 'services']
    await printRows(print, books.euSalesList(of), {
      columns: ['country', 'vatId', 'buyer', ...amounts],
      amounts,
      ...flags,
    })
  })

  rowOptions(
    orders
      .command('stock-list')
      .description('stock now, or at the end of a fiscal year')
      .addOption(
        new Option('--on <date>', 'the last day of a fiscal year (YYYY-MM-DD)').argParser(day),
      ),
  ).action(async ({ on, ...flags }: { on?: string } & AskedRows) => {
    const { books } = (await useContext()).features.orders
    const list = books.stockList(on ?? null)
    const rows = list.rows.map((row) => ({
      day: list.day,
      ...row,
      // The bookkeeper knows what they cost.
      cost: null,
      value: null,
    }))
    await printRows(print, rows, {
      columns: [
        'day',
        'handle',
        'variant',
        'title',
        'shelf',
        'ordered',
        'pieces',
        'price',
        'cost',
        'value',
      ],
      amounts: ['price'],
      ...flags,
    })
  })

  rowOptions(
    orders
      .command('collection')
      .description('invoices unpaid after both reminders, for a collection agency')
      .option('--all', 'include those handed over')
      .option('--hand-over', 'mark them as handed over'),
  )
    .addOption(options.by())
    .action(
      async ({
        all = false,
        handOver = false,
        by,
        ...flags
      }: { all?: boolean; handOver?: boolean; by: string } & AskedRows) => {
        const { reminders } = (await useContext()).features.orders
        const found = reminders.collection({ all })
        const amounts = ['total', 'credited', 'paid', 'open', 'interest', 'fees', 'claim']
        const columns = [
          'order',
          'invoice',
          'debtor',
          'company',
          'name',
          'email',
          'vatId',
          'street',
          'street2',
          'postcode',
          'city',
          'region',
          'country',
          'issuedOn',
          'dueOn',
          'remindedOn',
          'remindedTwiceOn',
          'reference',
          'total',
          'credited',
          'paid',
          'open',
          'interest',
          'rate',
          'fees',
          'claim',
          'collectedOn',
        ]
        await printRows(print, found, { columns, amounts, ...flags })
        if (handOver) await reminders.handOver(found, by)
      },
    )

  orders
    .command('waive <order>')
    .description('waive an order’s late interest and fees')
    .addOption(options.by())
    .action(async (number: string, { by }: { by: string }) => {
      const context = await useContext()
      const { reminders, actions } = context.features.orders
      const order = await reminders.waive(mustFind(context, number).number, by)
      const { open } = actions.balanceOf(order)
      print.line(`${order.number}: charges waived${open > 0 ? `, ${euros(open)} still open` : ''}`)
    })
}

/** `json` shuts the others out. */
type AskedVatReturn = { month: string; json?: boolean } & Partial<Pick<ExportTo, 'format' | 'out'>>
