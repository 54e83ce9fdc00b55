import { addDays, dateAt, dayEnd } from '#shared/dates/civil-dates.ts'
import { lastDueBefore } from '#shared/dates/due-dates.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'
import type { Order } from '../order.ts'
import { invoices, type Invoice } from '../schema.ts'
import { newInvoice, type Performed } from './create-invoice.ts'
import { newCreditNote, restOf, type CreditRequest } from './credit-note.ts'
import type { InvoiceDocument, Seller } from './invoice-document.ts'

/** The documents; the only place with their SQL. */
export type Invoices = ReturnType<typeof createInvoices>

/** The first number of the series. */
const firstNumber = 1001

/** Prepares the statements of the documents. */
export function createInvoices(db: Database, { clock }: { clock: () => number }) {
  // A restored database may have lost invoices, but not the last number that was given.
  const last = query(db, "SELECT last FROM spent_numbers WHERE name = 'invoices'", {
    last: integer(),
  })
  const insert = invoices.insert(db)
  const byNumber = invoices.select(db, 'WHERE number = :number')
  const ofOrder = invoices.select(db, 'WHERE "order" = :order ORDER BY number')
  const byReference = invoices.select(db, "WHERE reference = :reference AND kind = 'invoice'")
  const list = invoices.select(db, 'WHERE issued_on BETWEEN :from AND :to ORDER BY number')
  const abroad = invoices.select(
    db,
    `WHERE issued_on BETWEEN :from AND :to
       AND "order" IN (SELECT id FROM orders WHERE country <> 'FI') ORDER BY number`,
  )
  // A statement that names nothing with a right of withdrawal leaves its invoice owed; one about a booking
  // holds up the invoices of it. Once it's settled, what is left has new time (`heldUp` of the withdrawals).
  const isLate = `kind = 'invoice' AND due_on <= :dueUpTo
    AND "order" IN (SELECT id FROM orders WHERE state IN ('open', 'shipped') AND paid_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM withdrawals WHERE (withdrawals."order" = invoices."order"
        OR EXISTS (SELECT 1 FROM orders WHERE orders.id = invoices."order"
          AND orders.booking = withdrawals.order_number
          AND orders.email = withdrawals.email COLLATE NOCASE))
      AND (state IN ('received', 'awaiting', 'back')
        OR settled_at >= :settledSince AND withdrawals."order" = invoices."order")
      AND (EXISTS (SELECT 1 FROM withdrawal_lines WHERE withdrawal = withdrawals.id AND exempt IS NULL)
        OR NOT EXISTS (SELECT 1 FROM withdrawal_lines WHERE withdrawal = withdrawals.id)))`
  const late = invoices.select(db, `WHERE ${isLate} ORDER BY due_on, number`)
  const reminded = invoices.select(
    db,
    `WHERE ${isLate} AND json_array_length(reminders) = :times
      AND coalesce(reminders ->> '$[#-1]', 0) <= :before ORDER BY due_on, number`,
  )
  // Their lines are in the order of their numbers, as on the invoice. What cost nothing has no credit note.
  const settled = query(
    db,
    `SELECT (SELECT count(*) FROM order_lines
         WHERE "order" = :order AND order_lines.id < withdrawal_lines.line) AS place,
       sum(quantity) AS pieces
     FROM withdrawal_lines JOIN withdrawals ON withdrawals.id = withdrawal
     WHERE withdrawals."order" = :order AND state = 'settled' AND exempt IS NULL
       AND (credit IS NOT NULL
         OR (SELECT total FROM order_lines WHERE order_lines.id = withdrawal_lines.line) = 0)
     GROUP BY line`,
    { place: integer(), pieces: integer() },
  )
  const collect = invoices.update(db, ['collectedAt'], 'WHERE number = :number')
  const remind = invoices.update(db, ['reminders'], 'WHERE number = :number')

  /** The next number: one more than the last, in the transaction that uses it, so none is missing. */
  const next = () => (last.get()?.last ?? firstNumber - 1) + 1

  /** The latest due date that is over today. */
  const dueUpTo = () => lastDueBefore(dateAt(clock()))

  /** What is over today, and the first instant of settlements after which the new time isn't. */
  const over = () => {
    const due = dueUpTo()
    return { dueUpTo: due, settledSince: dayEnd(addDays(due, -orderLimits.transferDueDays)) }
  }

  const keep = (tx: Transaction, order: Order, document: InvoiceDocument): Invoice =>
    insert(tx, {
      number: document.number,
      kind: document.kind,
      order: order.id,
      refersTo: document.refersTo,
      reference: document.reference,
      issuedOn: document.issuedOn,
      dueOn: document.dueOn,
      total: document.total,
      document,
    })!

  const creditsOf = (order: number): Invoice[] =>
    ofOrder.all({ order }).filter(({ kind }) => kind === 'credit')

  return {
    find: (number: number): Invoice | null => byNumber.get({ number }),
    /** The invoice of an order, not its credit note; null while there is none. */
    invoiceOf: (order: number): Invoice | null =>
      ofOrder.all({ order }).find(({ kind }) => kind === 'invoice') ?? null,
    /** The documents of an order, in the order of their numbers. */
    ofOrder: (order: number): Invoice[] => ofOrder.all({ order }),
    /** The invoice that a reference number pays; spaces and leading zeros count for nothing. */
    ofReference: (reference: string): Invoice | null => byReference.get({ reference }),
    /**
     * Pieces of each line of an order that are off, by its place: those that credit notes took back, and
     * those withdrawn from. Reductions take none; one that took off the whole price of a line may have
     * settled its withdrawal.
     */
    creditedPieces(order: number): number[] {
      const credits = creditsOf(order).map(({ document }) => document)
      const invoice = ofOrder.all({ order }).find(({ kind }) => kind === 'invoice')
      if (!invoice) return []
      const withdrawn = new Map(settled.all({ order }).map(({ place, pieces }) => [place, pieces]))
      return restOf(invoice.document, credits).map(({ pieces }, at) =>
        Math.max(invoice.document.lines[at]!.quantity - pieces, withdrawn.get(at) ?? 0),
      )
    },
    /** Documents that were issued on some days, both inclusive. */
    list: (from = '0000-01-01', to = '9999-12-31'): Invoice[] => list.all({ from, to }),
    /** Those of them whose buyers are in other countries. */
    listAbroad: (from: string, to: string): Invoice[] => abroad.all({ from, to }),
    /** Unpaid invoices whose day has passed and whose buyer has not withdrawn, the latest first. */
    late: (): Invoice[] => late.all(over()),
    /** Late invoices that had so many reminders, the last of them up to an instant; the oldest debt first. */
    reminded: (times: number, before: number): Invoice[] =>
      reminded.all({ ...over(), times, before }),

    /**
     * Issues the invoice of an order. Call it inside the transaction of what it documents.
     * @param options `performed` for work that has days of its own, `covered` for cents that other payments of its buyer have paid of it
     */
    issue(
      tx: Transaction,
      order: Order,
      seller: Seller,
      options: { paid: boolean; performed?: Performed | null; covered?: number },
    ): Invoice {
      const issued = { number: next(), today: dateAt(clock()) }
      return keep(tx, order, newInvoice(order, { ...issued, seller, ...options }))
    },

    /**
     * Issues a credit note for a part of an invoice, or for all that is left of it. Call it inside a
     * transaction.
     * @throws wrong-state for more than is left, and when nothing is left
     */
    credit(
      tx: Transaction,
      order: Order,
      { document }: Invoice,
      { requested, reason }: { requested: CreditRequest; reason: string | null },
    ): Invoice {
      const credits = creditsOf(order.id).map((credit) => credit.document)
      const issued = { number: next(), today: dateAt(clock()), reason }
      return keep(tx, order, newCreditNote(document, credits, requested, issued))
    },

    /** Notes that another reminder of an invoice was sent. */
    remind: (tx: Transaction, { number, reminders }: Invoice): void =>
      void remind(tx, { reminders: [...reminders, clock()] }, { number }),
    /** Notes that an invoice was given to a collection agency. */
    collect: (tx: Transaction, number: number): void =>
      void collect(tx, { collectedAt: clock() }, { number }),
  }
}
