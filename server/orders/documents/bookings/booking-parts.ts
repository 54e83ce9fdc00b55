import * as z from 'zod/mini'
import { sum, vatTable } from '#shared/money.ts'
import type { Transaction } from '../../../db/group-commit.ts'
import type { Database } from '../../../db/open.ts'
import { json, listOf, nullable, query, textOf } from '../../../db/table.ts'
import type { Order } from '../../order.ts'
import type { OrderStore } from '../../store.ts'
import type { BookingPart } from '#shared/bookings/invoice-parts.ts'
import type { BookedWork, BookingDraft, EarlierPart } from './booking-draft.ts'
import type { Invoice } from '../../schema.ts'
import type { Invoices } from '../invoices.ts'

/** What credit notes took off, as amounts above zero. */
const creditedBy = (credits: readonly Invoice[]): EarlierPart['credited'] => {
  const vat = credits.flatMap(({ document }) => document.vat)
  return { net: -sum(vat.map(({ net }) => net)), gross: -sum(vat.map(({ gross }) => gross)) }
}

/** Prepares the statements of the parts that bookings were invoiced in; the only place with their SQL. */
export function createBookingParts(
  db: Database,
  {
    orders,
    invoices,
  }: { orders: Pick<OrderStore, 'ofBooking'>; invoices: Pick<Invoices, 'ofOrder'> },
) {
  const shape = {
    part: textOf<BookingPart>(),
    lines: nullable(json(z.array(z.int()))),
  }
  const ofOrder = query(
    db,
    `SELECT ${listOf(shape)} FROM booking_parts WHERE "order" = :order`,
    shape,
  )
  const keep = db.prepareWrite(
    'INSERT INTO booking_parts ("order", part, lines) VALUES (:order, :part, :lines)',
  )
  const of = ({ id }: Order) => ofOrder.get({ order: id }) ?? { part: 'whole', lines: null }

  return {
    /** Which part of its booking an order is. */
    of,

    /** Whether an order is over travel that was lost because the organiser cancelled. */
    isTravel: (order: Order): boolean => {
      const { part, lines } = of(order)
      return part === 'fee' && lines !== null
    },

    /** Keeps which part an order is. Call it inside the transaction that places it. */
    keep(tx: Transaction, { id }: Order, { part, chosen }: Pick<BookingDraft, 'part' | 'chosen'>) {
      keep.run(tx, { order: id, part, lines: chosen && JSON.stringify(chosen) })
    },

    /** The invoices of a booking that stand. */
    standing: ({
      reference,
      agreement,
    }: Pick<BookedWork, 'reference' | 'agreement'>): EarlierPart[] =>
      orders.ofBooking(reference).map((order) => {
        const documents = invoices.ofOrder(order.id)
        // Other dates or lines are another price than the one that the invoice was a part of.
        const isOfOther = agreement !== null && order.placedAt < agreement.agreedAt
        // What is agreed now is all that is owed, so what was credited is to be invoiced again where that
        // price asks for it. A reduction of a price that stands stays one.
        const credits = isOfOther ? documents.filter(({ kind }) => kind === 'credit') : []
        const vat = [
          ...vatTable(order.lines.map(({ total, rate }) => ({ gross: total, rate }))),
          ...credits.flatMap(({ document }) => document.vat),
        ]
        return {
          order: order.number,
          invoice: documents.find(({ kind }) => kind === 'invoice')?.number ?? null,
          total: sum(vat.map(({ gross }) => gross)),
          net: sum(vat.map(({ net }) => net)),
          credited: creditedBy(credits),
          rate: order.lines[0]?.rate ?? 0,
          whole: isOfOther ? null : (order.bookingWhole ?? order.total),
          ...of(order),
        }
      }),
  }
}
