import * as z from 'zod'
import { decimal, euros, vatText } from '#shared/money.ts'
import { officeDate, officeTime } from '#shared/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import type { Transaction } from '../db/group-commit.ts'
import { html } from '../markup.ts'
import { dataTable, mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox, type Attachment, type Brand, type Message } from '../mail/message.ts'
import type { Mail, MailStore } from '../mail/store.ts'
import type { MailTemplate, Rendered } from '../mail/template.ts'
import type { Invoice, Invoices } from './invoices.ts'
import type { Order, OrderStore } from './store.ts'
import { withdrawalForm } from './terms.ts'

/** The mails about orders; the last three go to staff. */
export type OrderMail =
  | 'orderConfirmed'
  | 'orderInvoiceReminder'
  | 'orderShipped'
  | 'orderCancelled'
  | 'orderCode'
  | 'orderWithdrawal'
  | 'orderPlacedStaff'
  | 'orderAttention'
  | 'orderWithdrawalStaff'

const dataSchema = z.object({
  order: z.optional(z.string()),
  invoice: z.optional(z.nullable(z.number())),
  code: z.optional(z.string()),
  to: z.optional(z.string()),
  withdrawal: z.optional(
    z.object({ order: z.string(), name: z.string(), email: z.string(), at: z.number() }),
  ),
})

type Parts = {
  orders: Pick<OrderStore, 'find'>
  invoices: Pick<Invoices, 'find'>
  mail: { staff: string }
  /** The PDF of a document. */
  pdf: (invoice: Invoice) => Promise<Buffer>
  successUrl: (order: Order) => string
}

/** Queues a mail about an order; belongs into the transaction of what it tells. */
export const orderMail = (
  tx: Transaction,
  mails: Pick<MailStore, 'enqueue'>,
  kind: OrderMail,
  order: Order,
  invoice: number | null,
): boolean =>
  mails.enqueue(tx, kind, {
    key: `order-${order.number}-${invoice ?? order.sequence}`,
    data: { order: order.number, invoice },
    recipient: order.email,
  })

/** Makes the templates. The confirmation is the durable medium: order, terms, withdrawal and invoice. */
export function orderMails(parts: Parts): Record<OrderMail, MailTemplate> {
  const { orders, invoices, mail, successUrl } = parts
  const inbox = mailbox(mail.staff)
  const about =
    (
      write: (found: {
        order: Order
        invoice: Invoice | null
        brand: Brand
      }) => Promise<Rendered> | Rendered,
    ): MailTemplate['render'] =>
    (row: Mail, brand: Brand) => {
      const data = dataSchema.parse(JSON.parse(row.data ?? '{}'))
      const order = data.order === undefined ? null : orders.find(data.order)
      if (!order) return { skip: 'the order is gone' }
      return write({ order, invoice: data.invoice ? invoices.find(data.invoice) : null, brand })
    }
  const toBuyer = (order: Order, message: Message): Rendered => ({
    to: { name: '', address: order.email },
    message,
  })

  return {
    orderConfirmed: {
      keptDays: 'feature',
      render: about(async ({ order, invoice, brand }) => {
        const pays = order.payment === 'invoice'
        return toBuyer(order, {
          ...mailMessage(brand, {
            subject: `Your order ${order.number}`,
            preheader: pays ? 'The invoice is attached.' : 'Thank you, your payment has arrived.',
            headline: 'Thank you for your order',
            number: `Order ${order.number}`,
            next: nextSteps(order),
            button: { label: 'See your order', url: successUrl(order) },
            details: invoice ? paymentFacts(invoice) : [],
            more: [linesTable(order), ...paragraphs(withdrawalForm(order, brand))],
            small: html`Terms of ${officeTime(order.placedAt)}, version ${order.termsVersion}:
              <a href="${brand.siteUrl + paths.termsOfService()}">terms of service</a>. You can
              withdraw here:
              <a href="${brand.siteUrl + paths.withdraw()}">withdraw from contract here</a>.`,
          }),
          ...(invoice && { attachments: [await attached(parts, invoice)] }),
        })
      }),
    },
    orderInvoiceReminder: {
      keptDays: 'feature',
      render: about(async ({ order, invoice, brand }) => {
        if (!invoice) return { skip: 'the invoice is gone' }
        if (order.paidAt !== null) return { skip: 'it was paid meanwhile' }
        return toBuyer(order, {
          ...mailMessage(brand, {
            subject: `Reminder: invoice ${invoice.number}`,
            headline: 'Has our invoice got lost?',
            number: `Invoice ${invoice.number}`,
            body: paragraphs(
              'The due date of this invoice has passed, and we have not seen your payment yet. If you have paid in the last few days, please ignore this message.',
            ),
            details: paymentFacts(invoice),
          }),
          attachments: [await attached(parts, invoice)],
        })
      }),
    },
    orderShipped: {
      keptDays: 'feature',
      render: about(({ order, brand }) =>
        toBuyer(
          order,
          mailMessage(brand, {
            subject: `Your order ${order.number} is on its way`,
            headline: 'Your order is on its way',
            number: `Order ${order.number}`,
            body: paragraphs('We handed your parcel over today.'),
            more: linesTable(order),
          }),
        ),
      ),
    },
    orderCancelled: {
      keptDays: 'feature',
      render: about(async ({ order, invoice, brand }) =>
        toBuyer(order, {
          ...mailMessage(brand, {
            subject: `Order ${order.number} is ${order.state}`,
            headline:
              order.state === 'refunded'
                ? 'Your money is on its way back'
                : 'Your order is cancelled',
            number: `Order ${order.number}`,
            body: paragraphs(
              order.state === 'refunded'
                ? 'We have sent your payment back the way it came. Depending on your bank it takes a few days.'
                : 'The order is cancelled, and you owe nothing for it.',
            ),
          }),
          ...(invoice && { attachments: [await attached(parts, invoice)] }),
        }),
      ),
    },
    orderCode: {
      keptDays: 1,
      render(row, brand) {
        const { order, code, to } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!order || !code || !to) return { skip: 'nothing to tell' }
        return {
          to: { name: '', address: to },
          message: mailMessage(brand, {
            subject: `${code} opens your order`,
            headline: 'Your code',
            number: code,
            body: paragraphs(`Enter it on the page of order ${order}. It works for 15 minutes.`),
            small: 'If you did not ask for it, you can ignore this message.',
          }),
        }
      },
    },
    orderWithdrawal: {
      render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        return {
          to: { name: '', address: withdrawal.email },
          message: mailMessage(brand, {
            subject: `We have received your withdrawal: ${withdrawal.order}`,
            headline: 'We have received your withdrawal',
            number: `Order ${withdrawal.order}`,
            body: paragraphs(
              `Your statement of withdrawal from the contract reached us on ${officeTime(withdrawal.at)}. Keep this message: it is your proof.`,
            ),
            next: [
              'We look at the order and write to you about the return of goods, if there are any.',
              'We pay back what you have paid, with the standard delivery, within 14 days.',
            ],
          }),
        }
      },
    },
    orderPlacedStaff: {
      keptDays: 'feature',
      render: about(({ order, invoice, brand }) => ({
        to: inbox,
        message: {
          ...mailMessage(brand, {
            subject: `New order ${order.number}: ${euros(order.total)}`,
            headline: 'New order',
            number: `Order ${order.number}`,
            details: [
              ['Name', order.company ? `${order.name}, ${order.company}` : order.name],
              ['Email', order.email],
              ['Payment', order.payment],
              ...(invoice ? [['Invoice', String(invoice.number)] as const] : []),
              [
                'Address',
                [order.street, order.postcode, order.city, order.country]
                  .filter(Boolean)
                  .join(', '),
              ],
            ],
            more: linesTable(order),
            small: `pitlane orders show ${order.number}`,
          }),
          replyTo: { name: order.name, address: order.email },
        },
      })),
    },
    orderAttention: {
      keptDays: 'feature',
      render: about(({ order, brand }) => ({
        to: inbox,
        message: mailMessage(brand, {
          subject: `Look at order ${order.number}: paid, but it cannot be delivered as it is`,
          headline: 'A payment needs you',
          number: `Order ${order.number}`,
          body: paragraphs(
            'The payment came after the reservation had ended and a piece is sold out, or its amount is not that of the order. Deliver it another way, or give the money back.',
          ),
          more: linesTable(order),
          small: `pitlane orders refund ${order.number}`,
        }),
      })),
    },
    orderWithdrawalStaff: {
      render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        return {
          to: inbox,
          message: {
            ...mailMessage(brand, {
              subject: `Withdrawal: order ${withdrawal.order}`,
              headline: 'A customer withdraws',
              number: `Order ${withdrawal.order}`,
              details: [
                ['Name', withdrawal.name],
                ['Email', withdrawal.email],
                ['Received', officeTime(withdrawal.at)],
              ],
            }),
            replyTo: { name: withdrawal.name, address: withdrawal.email },
          },
        }
      },
    },
  }
}

const attached = async ({ pdf }: Parts, invoice: Invoice): Promise<Attachment> => ({
  filename: `${invoice.kind === 'credit' ? 'credit-note' : 'invoice'}-${invoice.number}.pdf`,
  contentType: 'application/pdf',
  content: await pdf(invoice),
})

function nextSteps(order: Order): string[] {
  const kinds = new Set(order.lines.map(({ kind }) => kind))
  return [
    order.payment === 'invoice'
      ? 'Please pay the attached invoice by its due date, with its reference number.'
      : 'Your payment has arrived; the receipt is attached.',
    ...(kinds.has('physical')
      ? ['We pack your order and write to you once it is on its way.']
      : []),
    ...(kinds.has('digital')
      ? ['Your files wait on the page of your order, as soon as it is paid and you may have them.']
      : []),
    ...(kinds.has('service')
      ? ['We write to you within two working days to agree on a date.']
      : []),
  ]
}

/** How an invoice is paid. */
const paymentFacts = ({ document }: Invoice): [string, string][] => [
  ['Total', euros(document.total)],
  ...(document.dueOn ? [['Due', officeDate(document.dueOn)] as [string, string]] : []),
  ...(document.paid || !document.seller.iban
    ? []
    : ([
        ['IBAN', document.seller.iban],
        ['Reference', document.reference],
        ...(document.barcode ? [['Virtual barcode', document.barcode] as [string, string]] : []),
      ] as [string, string][])),
]

const linesTable = (order: Order) =>
  dataTable(
    ['Item', 'Quantity', 'VAT', 'Total'],
    [
      ...order.lines.map(({ title, quantity, rate, total }) => [
        title,
        String(quantity),
        vatText(rate),
        `${decimal(total)} €`,
      ]),
      ...(order.shippingRate === null
        ? []
        : [['Shipping', '1', vatText(order.shippingRate), `${decimal(order.shipping)} €`]]),
      ['Total', '', '', `${decimal(order.total)} €`],
    ],
    { right: [1, 2, 3] },
  )
