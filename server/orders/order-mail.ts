import * as z from 'zod'
import { officeDate } from '#shared/helsinki-time.ts'
import { euros, vatText } from '#shared/money.ts'
import { dataTable } from '../mail/tables.ts'
import type { Attachment, Brand, Message } from '../mail/message.ts'
import type { Mail } from '../mail/mail.ts'
import type { MailTemplate, Rendered } from '../mail/template.ts'
import type { Invoice, Invoices } from './invoices.ts'
import type { Order } from './order.ts'
import type { OrderStore } from './store.ts'

/** The mails about orders; the last five go to staff. */
export type OrderMail =
  | 'orderConfirmed'
  | 'orderPaid'
  | 'orderInvoiceReminder'
  | 'orderShipped'
  | 'orderCancelled'
  | 'orderDelayed'
  | 'orderCode'
  | 'orderWithdrawal'
  | 'orderPlacedStaff'
  | 'orderAttention'
  | 'orderReplacedStaff'
  | 'orderPaidTwiceStaff'
  | 'orderWithdrawalStaff'

/** What a mail about an order is rendered from. */
export const dataSchema = z.object({
  order: z.optional(z.string()),
  invoice: z.optional(z.nullable(z.number())),
  code: z.optional(z.string()),
  to: z.optional(z.string()),
  /** Whether an order came with the answer to its form's sum; left out where no sum is asked for. */
  isProven: z.optional(z.boolean()),
  withdrawal: z.optional(
    z.object({
      order: z.string(),
      name: z.string(),
      email: z.string(),
      at: z.number(),
      /** Whether it is about an order of this mailbox. */
      isKnown: z.optional(z.boolean()),
    }),
  ),
})

/** What the templates are made from. */
export type OrderMailDeps = {
  orders: Pick<OrderStore, 'find' | 'findId'>
  invoices: Pick<Invoices, 'find'>
  mail: { staff: string }
  /** The PDF of a document. */
  pdf: (invoice: Invoice) => Promise<Buffer>
  /** The terms of service as they are now. */
  terms: () => Promise<Attachment>
  successUrl: (order: Order) => string
}

/** What a template is about. */
type Found = { order: Order; invoice: Invoice | null; brand: Brand; isProven: boolean }

/** Makes a template of an order as it is when the mail goes out. */
export const aboutOrder =
  (
    { orders, invoices }: OrderMailDeps,
    write: (found: Found) => Promise<Rendered> | Rendered,
  ): MailTemplate['render'] =>
  (row: Mail, brand: Brand) => {
    const data = dataSchema.parse(JSON.parse(row.data ?? '{}'))
    const order = data.order === undefined ? null : orders.find(data.order)
    if (!order) return { skip: 'the order is gone' }
    const invoice = data.invoice ? invoices.find(data.invoice) : null
    return write({ order, invoice, brand, isProven: data.isProven ?? true })
  }

/** The number of the order that took the place of another one; null for none. */
export const replacementOf = ({ orders }: OrderMailDeps, { replacedBy }: Order): string | null =>
  replacedBy === null ? null : (orders.findId(replacedBy)?.number ?? null)

/** A document as an attachment. */
export const attached = async ({ pdf }: OrderMailDeps, invoice: Invoice): Promise<Attachment> => ({
  filename: `${invoice.kind === 'credit' ? 'credit-note' : 'invoice'}-${invoice.number}.pdf`,
  contentType: 'application/pdf',
  content: await pdf(invoice),
})

/** How an invoice is paid. */
export const paymentFacts = ({ document }: Invoice): [string, string][] => [
  ['Total', euros(document.total)],
  ...(document.dueOn ? [['Due', officeDate(document.dueOn)] as [string, string]] : []),
  ...(document.paid || !document.seller.iban
    ? []
    : ([
        ['IBAN', groups(document.seller.iban)],
        ['Reference', document.reference],
        ...(document.barcode ? [['Virtual barcode', document.barcode] as [string, string]] : []),
      ] as [string, string][])),
]

/** A rate that no narrow column breaks. */
const vatWords = (rate: Parameters<typeof vatText>[0]) => vatText(rate).replaceAll(' ', '\u00a0')

/** An IBAN in groups of four, as it is read. */
const groups = (iban: string) =>
  iban
    .replaceAll(/\s/g, '')
    .replaceAll(/(.{4})/g, '$1 ')
    .trim()

/** What was ordered, as a table. */
export const linesTable = (order: Order) =>
  dataTable(
    ['Item', 'Quantity', 'VAT', 'Total'],
    [
      ...order.lines.map(({ title, quantity, rate, total }) => [
        title,
        String(quantity),
        vatWords(rate),
        euros(total),
      ]),
      ...(order.shippingRate === null
        ? []
        : [['Shipping', '1', vatWords(order.shippingRate), euros(order.shipping)]]),
      ['Total', '', '', euros(order.total)],
    ],
    { right: [1, 2, 3], total: true },
  )

/** A message to the buyer of an order. */
export const toBuyer = (order: Order, message: Message): Rendered => ({
  to: { name: '', address: order.email },
  message,
})
