import { euros } from '#shared/money.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { addressOf } from './invoice-document.ts'
import {
  aboutOrder,
  linesTable,
  replacementOf,
  type OrderMailDeps,
  type OrderMail,
} from './order-mail.ts'

/** What tells staff of an order. */
export const staffMails = (deps: OrderMailDeps) =>
  ({
    orderPlacedStaff: placed(deps),
    orderAttention: attention(deps),
    orderReplacedStaff: replaced(deps),
    orderPaidTwiceStaff: paidTwice(deps),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

/** An order that is to be filled, and whether a robot may have sent it. */
const placed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, invoice, brand, isProven }) => ({
    to: mailbox(deps.mail.staff),
    message: {
      ...mailMessage(brand, {
        subject: `New order ${order.number}: ${euros(order.total)}`,
        headline: 'New order',
        number: `Order ${order.number}`,
        ...(!isProven && {
          body: paragraphs(
            'The sum of the form was not answered, so this may be a robot. Look at name, address and mailbox before you send anything; an order that nobody meant is cancelled with its invoice.',
          ),
        }),
        details: [
          ['Name', order.company ? `${order.name}, ${order.company}` : order.name],
          ['Email', order.email],
          ['Payment', order.payment],
          ...(invoice ? [['Invoice', String(invoice.number)] as const] : []),
          ['Address', addressOf(order).join(', ')],
        ],
        more: linesTable(order),
        small: `pitlane orders show ${order.number}`,
      }),
      replyTo: { name: order.name, address: order.email },
    },
  })),
})

/** A payment whose order cannot be delivered as it is. */
const attention = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => ({
    to: mailbox(deps.mail.staff),
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
})

/** An order that must not be sent, since its buyer paid another one of the same cart. */
const replaced = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, invoice, brand }) => {
    const other = replacementOf(deps, order)
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `Order ${order.number} is cancelled: its buyer paid order ${other} instead`,
        headline: 'One order took the place of another',
        number: `Order ${order.number}`,
        body: paragraphs(
          `Its buyer had begun to pay order ${other} for the same cart, and that payment has arrived after all. So order ${other} is the one to fill: do not send this one. Its invoice is taken back${invoice ? ` by credit note ${invoice.number}` : ''}, and the buyer has been told.`,
        ),
        more: linesTable(order),
        small: `pitlane orders show ${order.number}`,
      }),
    }
  }),
})

/** A payment that goes back by itself. */
const paidTwice = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => {
    const other = replacementOf(deps, order)
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `The payment of order ${order.number} goes back to its buyer`,
        headline: 'A payment goes back by itself',
        number: `Order ${order.number}`,
        body: paragraphs(
          `${
            other
              ? `Its buyer had ordered the same cart again as order ${other}, which stands.`
              : 'The order had been cancelled before its payment came.'
          } There is nothing to do, and the buyer is told. If the order still needs attention tomorrow, give the money back by hand.`,
        ),
        more: linesTable(order),
        small: `pitlane orders refund ${order.number}`,
      }),
    }
  }),
})
