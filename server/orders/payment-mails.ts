import { dateAt } from '#shared/civil-dates.ts'
import { officeDate } from '#shared/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import type { MailTemplate } from '../mail/template.ts'
import {
  aboutOrder,
  attached,
  linesTable,
  paymentFacts,
  replacementOf,
  toBuyer,
  type OrderMailDeps,
  type OrderMail,
} from './order-mail.ts'
import type { Order } from './order.ts'
import { downloadsOpenOn } from './terms.ts'

/** What a buyer is told of the money of an order. */
export const paymentMails = (deps: OrderMailDeps) =>
  ({
    orderPaid: paid(deps),
    orderInvoiceReminder: reminder(deps),
    orderCancelled: cancelled(deps),
    orderDelayed: delayed(deps),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

/** Says that the money is here, and of digital goods whether they can be fetched now. */
const paid = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, invoice, brand }) => {
    if (order.paidAt === null || (order.state !== 'paid' && order.state !== 'shipped')) {
      return { skip: `the order is ${order.state} meanwhile` }
    }
    const files = filesNote(order, dateAt(order.paidAt))
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Your payment for order ${order.number} has arrived`,
        preheader: files ?? `Thank you. Nothing is left to pay.`,
        headline: 'Thank you, your payment has arrived',
        number: `Order ${order.number}`,
        body: paragraphs(
          ['Thank you. Nothing is left to pay.', ...(files ? [files] : [])].join('\n\n'),
        ),
        button: {
          label: files ? 'See your order and its files' : 'See your order',
          url: deps.successUrl(order),
        },
        details: [
          ['Total', euros(order.total)],
          ...(invoice ? [['Invoice', String(invoice.number)] as [string, string]] : []),
          ['Paid on', officeDate(dateAt(order.paidAt))],
        ],
      }),
    )
  }),
})

function filesNote(order: Order, today: string): string | null {
  if (order.lines.every(({ kind }) => kind !== 'digital')) return null
  const opensOn = downloadsOpenOn(order)
  return order.digitalWaiver || today >= opensOn
    ? 'Your downloads are open: fetch your files on the page of your order.'
    : `Your downloads open on ${officeDate(opensOn)}, when your right of withdrawal has ended.`
}

const reminder = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
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
      attachments: [await attached(deps, invoice)],
    })
  }),
})

const cancelled = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) =>
    toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Order ${order.number} is ${order.state}`,
        headline: isPaidBack(order) ? 'Your money is on its way back' : 'Your order is cancelled',
        number: `Order ${order.number}`,
        body: paragraphs(whyCancelled(order, replacementOf(deps, order))),
      }),
      ...(invoice && { attachments: [await attached(deps, invoice)] }),
    }),
  ),
})

/** What became of an order and its money, and which other one of the same cart stands. */
function whyCancelled(order: Order, other: string | null): string {
  const back =
    'We have sent your payment back the way it came. Depending on your bank it takes a few days.'
  if (isPaidBack(order)) {
    return other === null
      ? back
      : `You had ordered the same cart again as order ${other}, which stands: you pay once. ${back}`
  }
  return other === null
    ? `The order is ${order.state}, and you owe nothing for it. What you may have paid of it comes back to your account.`
    : `Your payment for order ${other} of the same cart has arrived after all, and that order stands. So you owe nothing for this one: please do not pay its invoice.`
}

/** Says that the money is here and the pieces are not. */
const delayed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => {
    if (order.state !== 'attention') return { skip: `the order is ${order.state} meanwhile` }
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Your payment for order ${order.number} came late`,
        headline: 'Your payment is here, the pieces are not',
        number: `Order ${order.number}`,
        body: paragraphs(
          'Your payment has arrived, but after the time for which we had kept the pieces, and they went to somebody else. We write to you by the next working day, and send them later or give all of your money back, as you like.',
        ),
        button: { label: 'See your order', url: deps.successUrl(order) },
        more: linesTable(order),
      }),
    )
  }),
})

const isPaidBack = ({ state, paidAt }: Order) => state === 'refunded' && paidAt !== null
