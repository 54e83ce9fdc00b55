import { InvalidArgumentError, Option, type Command } from 'commander'
import { bookAmounts, bookColumns, bookRows } from '#server/orders/bookkeeping.ts'
import type { Context } from '#server/context.ts'
import type { Order } from '#server/orders/store.ts'
import { civilDate, dateAt } from '#shared/civil-dates.ts'
import { euros } from '#shared/money.ts'
import { orderStates, type OrderState } from '#shared/orders.ts'
import * as options from './options.ts'
import { addBookingOrders } from './order-bookings.ts'
import { addOrderDocuments } from './order-documents.ts'
import { cents, known } from './order-lookup.ts'
import { addOrderMatching } from './order-matching.ts'
import { when, type Format, type Print, type Row } from './print.ts'
import type { UseContext } from './main.ts'

type Range = { from?: number; to?: number; status?: OrderState }

/** `--state` is the field's word; `--status` is what every other noun has. */
const status = () => new Option('--status <state>', 'only these').choices(orderStates)
const state = () => new Option('--state <state>', 'as --status').choices(orderStates)

/** `orders`: what was bought, its payment, its documents. */
export function addOrders(program: Command, useContext: UseContext, print: Print): void {
  const orders = program.command('orders').description('orders of the shop and their invoices')

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
      if (told.json) print.json(found.map((order) => whole(context, order)))
      else
        print.listing(
          found.map((order) => brief(context, order)),
          { none: 'No orders.' },
        )
    })

  orders
    .command('show <order>')
    .description('one order, with its lines, documents and what was done')
    .addOption(options.json())
    .action(async (number: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const order = known(context, number)
      const history = context.timeline
        .of('order', order.number)
        .map(({ at, actor, act, before, after, note }) => ({
          at: when(at),
          actor,
          act,
          before,
          after,
          note,
        }))
      if (json) print.json({ ...whole(context, order), history })
      else showOrder(context, order, { history, print })
    })

  orders
    .command('paid <order>')
    .description('record money that came in for an invoice; the rest of it unless told otherwise')
    .addOption(new Option('--amount <euros>', 'what came in').argParser(cents))
    .addOption(new Option('--on <date>', 'the day (YYYY-MM-DD)').argParser(day))
    .option('--note <text>', 'what tells this payment from others; the same one counts once')
    .addOption(options.by())
    .action(
      async (number: string, told: { amount?: number; on?: string; note?: string; by: string }) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const order = known(context, number)
        const open = order.total - actions.orders.paid(order.id)
        if (!['open', 'shipped', 'paid'].includes(order.state)) {
          throw new Error(`${order.number} is ${order.state}; only invoices can be marked as paid.`)
        }
        if (told.amount === undefined && open <= 0)
          throw new Error(`${order.number} is paid already.`)
        const { recorded, order: after } = await actions.paid(order.number, {
          source: `staff/${order.number}/${told.note ?? actions.orders.paid(order.id)}`,
          amount: told.amount ?? open,
          ...(told.on !== undefined && { paidOn: told.on }),
          actor: told.by,
        })
        if (!recorded) throw new Error('This payment was recorded before.')
        const rest = after.total - actions.orders.paid(after.id)
        print.line(
          `${after.number}: ${after.state}${rest > 0 ? `, ${euros(rest)} still open` : ''}${rest < 0 ? `, ${euros(-rest)} too much` : ''}`,
        )
      },
    )

  const acts = {
    ship: 'note that an order was sent, and mail its buyer',
    cancel: 'cancel what is not paid: pieces go back, a credit note is issued',
    refund: 'pay back and issue a credit note; Stripe is called for orders that were paid there',
  } as const
  for (const [act, description] of Object.entries(acts) as [keyof typeof acts, string][]) {
    orders
      .command(`${act} <order>`)
      .description(description)
      .addOption(options.by())
      .action(async (number: string, { by }: { by: string }) => {
        const context = await useContext()
        const { actions } = context.features.orders
        const before = known(context, number)
        const paid = actions.orders.paid(before.id)
        const after = await actions[act](before.number, by)
        print.line(`${after.number}: ${before.state} → ${after.state}`)
        if (act !== 'ship' && after.payment === 'invoice' && paid > 0) {
          print.line(`Please pay ${euros(paid)} back to the buyer's account.`)
        }
      })
  }

  orders
    .command('export')
    .description('for the bookkeeper: a row for each invoice or credit note and rate of VAT')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(status())
    .option('--out <file>', 'write to a file, which appears only when it is whole')
    .option('--raw', 'csv: leave cells that look like formulas as they are')
    .action(
      async ({
        from,
        to,
        status: only,
        ...told
      }: Range & { format: Format; out?: string; raw?: boolean }) => {
        const { actions } = (await useContext()).features.orders
        const rows = bookRows(actions, {
          ...(from !== undefined && { from: dateAt(from) }),
          ...(to !== undefined && { to: dateAt(to - 1) }),
          ...(only && { state: only }),
        })
        await print.export(rows, { columns: bookColumns, amounts: bookAmounts, ...told })
      },
    )

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

  addOrderDocuments(orders, useContext, print)
  addOrderMatching(orders, useContext, print)
  addBookingOrders(orders.command('from-booking <reference>'), useContext, print)
}

function day(text: string): string {
  const date = civilDate(text)
  if (date) return date
  throw new InvalidArgumentError('Use YYYY-MM-DD.')
}

/** The columns of a table. */
function brief(context: Context, order: Order): Row {
  const invoice = context.features.orders.actions.invoiceOf(order)
  return {
    order: order.number,
    state: order.state,
    placed: when(order.placedAt)!.slice(0, 16).replace('T', ' '),
    payment: order.payment,
    total: euros(order.total),
    invoice: invoice?.number ?? null,
    reference: invoice?.reference ?? null,
    name: order.company ?? order.name,
    email: order.email,
  }
}

/** All that staff see of an order; money in cents. */
function whole({ features }: Context, order: Order) {
  const { actions } = features.orders
  const invoice = actions.invoiceOf(order)
  const { id: _id, number, sequence: _s, session: _u, sessionUrl: _p, lines, ...facts } = order
  return {
    ...facts,
    order: number,
    reference: invoice?.reference ?? null,
    invoice: invoice === null ? null : String(invoice.number),
    documents: actions.invoices.ofOrder(order.id).map((document) => ({
      number: String(document.number),
      kind: document.kind,
      date: document.issuedOn,
      due: document.dueOn,
      total: document.total,
    })),
    paid: actions.orders.paid(order.id),
    placedAt: when(order.placedAt),
    changedAt: when(order.changedAt),
    paidAt: when(order.paidAt),
    shippedAt: when(order.shippedAt),
    reservedUntil: when(order.reservedUntil),
    lines: lines.map(({ id: _line, variantId: _variant, ...line }) => line),
  }
}

function showOrder(
  context: Context,
  order: Order,
  { history, print }: { history: Row[]; print: Print },
): void {
  const { lines, documents, total, paid, shipping, ...facts } = whole(context, order)
  print.facts({ ...facts, shipping: euros(shipping), total: euros(total), paid: euros(paid) })
  print.line('')
  const bought = lines.map(({ quantity, title, unit, total: sum, rate, handle, variant }) => ({
    pieces: quantity,
    title,
    unit: euros(unit),
    total: euros(sum),
    vat: `${rate} %`,
    product: handle === null ? '' : `${handle} ${variant}`,
  }))
  print.listing(bought, { none: 'No lines.' })
  print.line('')
  const papers = documents.map((each) => ({ ...each, total: euros(each.total) }))
  print.listing(papers, { none: 'No documents yet.' })
  print.line('')
  print.listing(history, { none: 'Nothing has been done yet.' })
}
