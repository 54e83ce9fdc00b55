import { Option, type Command } from 'commander'
import { bookAmounts, bookColumns, bookRows } from '#server/orders/bookkeeping.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { orderStates, type OrderState } from '#shared/orders.ts'
import { historyOf } from './history.ts'
import * as options from './options.ts'
import { addBookingOrders } from './order-bookings.ts'
import { addOrderDocuments } from './order-documents.ts'
import { addOrderActs } from './order-acts.ts'
import { mustFind } from './order-lookup.ts'
import { tableRow, showOrder, fullRow } from './order-views.ts'
import { addOrderMatching } from './order-matching.ts'
import { when, type ExportTo, type Print } from './print.ts'
import type { UseContext } from './command.ts'

type Range = { from?: number; to?: number; status?: OrderState }

/** `--state` is the field's word; `--status` is what every other noun has. */
const status = () => new Option('--status <state>', 'only these').choices(orderStates)
const state = () => new Option('--state <state>', 'as --status').choices(orderStates)

/** `orders`: what was bought, its payment, its documents. */
export function addOrders(program: Command, useContext: UseContext, print: Print): void {
  const orders = program.command('orders').description('orders of the shop and their invoices')
  addReading(orders, useContext, print)
  addExport(orders, useContext, print)
  addWithdrawals(orders, useContext, print)
  addOrderActs(orders, useContext, print)
  addOrderDocuments(orders, useContext, print)
  addOrderMatching(orders, useContext, print)
  addBookingOrders(orders.command('from-booking <reference>'), useContext, print)
}

function addReading(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('list')
    .description('the orders, oldest first')
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(state())
    .addOption(options.json())
    .action(async (told: Range & { state?: OrderState; json?: boolean }) => {
      const context = await useContext()
      const { actions } = context.features.orders
      const range = { from: told.from, before: told.to, state: told.status ?? told.state }
      const found = [...actions.orders.list(range)]
      if (told.json) print.json(found.map((order) => fullRow(context, order)))
      else
        print.listing(
          found.map((order) => tableRow(context, order)),
          { none: 'No orders.' },
        )
    })

  orders
    .command('show <order>')
    .description('one order, with its lines, documents and what was done')
    .addOption(options.json())
    .action(async (number: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const order = mustFind(context, number)
      const history = historyOf(context.timeline, 'order', order.number)
      if (json) print.json({ ...fullRow(context, order), history })
      else showOrder(context, order, { history, print })
    })
}

function addExport(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('export')
    .description('for the bookkeeper: a row for each invoice or credit note and rate of VAT')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ from, to, status: only, ...told }: Range & ExportTo) => {
      const { actions } = (await useContext()).features.orders
      const rows = bookRows(actions, {
        ...(from !== undefined && { from: dateAt(from) }),
        ...(to !== undefined && { to: dateAt(to - 1) }),
        ...(only && { state: only }),
      })
      await print.export(rows, { columns: bookColumns, amounts: bookAmounts, ...told })
    })
}

function addWithdrawals(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('withdrawals')
    .description('statements of withdrawal, oldest first')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { withdrawals } = (await useContext()).features.orders
      const rows = withdrawals.list().map(({ orderNumber, order, name, email, receivedAt }) => ({
        received: when(receivedAt),
        order,
        written: orderNumber,
        name,
        email,
      }))
      print.listing(rows, { json, none: 'No statements of withdrawal.' })
    })
}
