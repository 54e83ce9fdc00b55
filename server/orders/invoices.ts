import { dateAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { documentSchema, type InvoiceDocument, type Seller } from './invoice-document.ts'
import type { Order } from './order.ts'
import { newCreditNote, newInvoice } from './new-documents.ts'

/** An invoice or credit note. */
export type Invoice = {
  readonly number: number
  readonly kind: 'invoice' | 'credit'
  readonly order: number
  readonly refersTo: number | null
  readonly reference: string
  readonly issuedOn: string
  readonly dueOn: string | null
  readonly total: number
  readonly remindedAt: number | null
  readonly document: InvoiceDocument
}

/** The documents; the only place with their SQL. */
export type Invoices = ReturnType<typeof createInvoices>

/** The first number of the series. */
const firstNumber = 1001

const columns = `number, kind, "order", refers_to AS refersTo, reference, issued_on AS issuedOn,
  due_on AS dueOn, total, reminded_at AS remindedAt, document`

const toInvoice = (row: unknown): Invoice => {
  const { document, ...facts } = row as Omit<Invoice, 'document'> & { document: string }
  return { ...facts, document: documentSchema.parse(JSON.parse(document)) }
}

/** Prepares the statements of the documents. */
export function createInvoices(db: Database, { clock }: { clock: () => number }) {
  const last = db.prepare('SELECT max(number) FROM invoices').pluck()
  const insert = db.prepareWrite(
    `INSERT INTO invoices (number, kind, "order", refers_to, reference, issued_on, due_on, total,
       document)
     VALUES (:number, :kind, :order, :refersTo, :reference, :issuedOn, :dueOn, :total, :document)`,
  )
  const queries = createInvoiceQueries(db, { clock })
  const remind = db.prepareWrite('UPDATE invoices SET reminded_at = :now WHERE number = :number')

  /** The next number: one more than the last, in the transaction that uses it, so that none is missing. */
  const next = () => ((last.get() as number | null) ?? firstNumber - 1) + 1

  const keep = (tx: Transaction, order: Order, document: InvoiceDocument): Invoice => {
    insert.run(tx, {
      number: document.number,
      kind: document.kind,
      order: order.id,
      refersTo: document.refersTo,
      reference: document.reference,
      issuedOn: document.issuedOn,
      dueOn: document.dueOn,
      total: document.total,
      document: JSON.stringify(document),
    })
    return queries.find(document.number)!
  }

  return {
    ...queries,

    /** Issues the invoice of an order; belongs into the transaction of what it documents. */
    issue(tx: Transaction, order: Order, seller: Seller, { paid }: { paid: boolean }): Invoice {
      const issued = { number: next(), today: dateAt(clock()) }
      return keep(tx, order, newInvoice(order, { ...issued, seller, paid }))
    },

    /** Issues a credit note that takes a whole invoice back; belongs into a transaction. */
    credit(tx: Transaction, order: Order, { document }: Invoice): Invoice {
      return keep(tx, order, newCreditNote(document, { number: next(), today: dateAt(clock()) }))
    },

    /** Notes that a reminder of an invoice was sent. */
    remind: (tx: Transaction, number: number) => void remind.run(tx, { number, now: clock() }),
  }
}

/** Prepares the statements that find and list documents. */
function createInvoiceQueries(db: Database, { clock }: { clock: () => number }) {
  const byNumber = db.prepare(`SELECT ${columns} FROM invoices WHERE number = ?`)
  const ofOrder = db.prepare(`SELECT ${columns} FROM invoices WHERE "order" = ? ORDER BY number`)
  const byReference = db.prepare(
    `SELECT ${columns} FROM invoices WHERE reference = ? AND kind = 'invoice'`,
  )
  const list = db.prepare(
    `SELECT ${columns} FROM invoices WHERE issued_on BETWEEN :from AND :to ORDER BY number`,
  )
  const overdue = db.prepare(
    `SELECT ${columns} FROM invoices
     WHERE kind = 'invoice' AND due_on < :today AND reminded_at IS NULL
       AND "order" IN (SELECT id FROM orders WHERE state IN ('open', 'shipped') AND paid_at IS NULL)
     ORDER BY number LIMIT 100`,
  )

  return {
    find: (number: number): Invoice | null => {
      const row = byNumber.get(number)
      return row === undefined ? null : toInvoice(row)
    },
    /** The invoice of an order, not its credit note; null while there is none. */
    invoiceOf: (order: number): Invoice | null => {
      const all = ofOrder.all(order).map(toInvoice)
      return all.find(({ kind }) => kind === 'invoice') ?? null
    },
    /** The documents of an order, in the order of their numbers. */
    ofOrder: (order: number): Invoice[] => ofOrder.all(order).map(toInvoice),
    /** The invoice that a reference number pays; spaces and leading zeros count for nothing. */
    ofReference: (reference: string): Invoice | null => {
      const row = byReference.get(reference)
      return row === undefined ? null : toInvoice(row)
    },
    /** Documents that were issued on some days, both inclusive. */
    list: (from = '0000-01-01', to = '9999-12-31'): Invoice[] =>
      list.all({ from, to }).map(toInvoice),
    /** Invoices whose day has passed, and for which no reminder was sent. */
    overdue: (): Invoice[] => overdue.all({ today: dateAt(clock()) }).map(toInvoice),
  }
}
