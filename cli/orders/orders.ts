import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Order } from '#server/orders/feature.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { orderStates, type OrderState } from '#shared/shop/orders.ts'
import { historyOf } from '../history.ts'
import { printFound, searchOptions, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { addCreditAccounts } from './accounts.ts'
import { addBookingOrders } from './from-booking.ts'
import { addOrderCredits } from './credits.ts'
import { addOrderDocuments } from './documents.ts'
import { addOrderActs } from './acts.ts'
import { addBooks } from './books.ts'
import { mustFind } from './lookup.ts'
import { tableRow, showOrder, fullRow } from './views.ts'
import { addOrderMatching } from './matching.ts'
import { addOrderShipping } from './shipping.ts'
import { addWithdrawals } from './withdrawals.ts'
import { addOss } from './oss.ts'
import type { ExportTo, Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

type Range = { from?: number; to?: number; status?: OrderState }

/** `--state` is the field's word; `--status` is what every other noun has. */
const status = () =>
  new Option('--status <state>', 'only rows with this status').choices(orderStates)
const state = () => new Option('--state <state>', 'as --status').choices(orderStates)

/** `orders`: what was bought, its payment, its documents. */
export function addOrders(orders: Command, useContext: UseContext, print: Print): void {
  addReading(orders, useContext, print)
  addExport(orders, useContext, print)
  addWithdrawals(orders, useContext, print)
  addOrderActs(orders, useContext, print)
  addOrderShipping(orders, useContext, print)
  addCreditAccounts(orders, useContext, print)
  addOrderCredits(orders, useContext, print)
  addOrderDocuments(orders, useContext, print)
  addOrderMatching(orders, useContext, print)
  addOss(orders, useContext, print)
  addBooks(orders, useContext, print)
  addBookingOrders(orders.command('from-booking <reference>'), useContext, print)
}

function addReading(orders: Command, useContext: UseContext, print: Print): void {
  searchOptions(orders.command('list'))
    .description('list orders, newest first')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(state())
    .addOption(options.email())
    .action(async (flags: Range & SearchFlags & { state?: OrderState; email?: string }) => {
      const context = await useContext()
      const { orders: store } = context.features.orders.actions
      const range = {
        from: flags.since ?? flags.from,
        before: flags.to,
        state: flags.status ?? flags.state,
        email: flags.email,
      }
      printFound(print, store.newest(range), flags, {
        textsOf: (order) => textsOf(context, order),
        what: 'orders',
        isJsonOldestFirst: true,
        none: 'No orders.',
        row: (order) => tableRow(context, order),
        full: (order) => fullRow(context, order),
        ...(flags.search === undefined && { total: () => store.count(range) }),
      })
    })

  orders
    .command('show <order>')
    .description('show an order: lines, documents and history')
    .addOption(options.json())
    .action(async (number: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const order = mustFind(context, number)
      const history = historyOf(context.timeline, 'order', order.number)
      if (json) {
        const url = context.features.orders.actions.successUrl(order)
        print.json({ ...fullRow(context, order), url, history })
      } else showOrder(context, order, { history, print })
    })
}

/** What people know an order by. */
const textsOf = (
  { features }: Context,
  { id, number, name, company, email: address, city, country, lines, ...rest }: Order,
) => [
  number,
  name,
  company,
  address,
  city,
  country,
  rest.booking,
  ...lines.map(({ title }) => title),
  ...features.orders.actions.invoices
    .ofOrder(id)
    .flatMap((document) => [document.number, document.reference]),
]

function addExport(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('export')
    .description('bookkeeping export: one row per invoice or credit note and VAT rate')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ from, to, status: only, ...flags }: Range & ExportTo) => {
      const { books } = (await useContext()).features.orders
      const rows = books.rows({
        ...(from !== undefined && { from: dateAt(from) }),
        ...(to !== undefined && { to: dateAt(to - 1) }),
        ...(only && { state: only }),
      })
      await print.export(rows, { columns: books.columns, amounts: books.amounts, ...flags })
    })
}
