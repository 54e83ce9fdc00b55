import { euros } from '#shared/money.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { addressOf } from './invoice-document.ts'
import { aboutOrder, linesTable, type MailParts, type OrderMail } from './mail-parts.ts'

/** What tells staff of an order. */
export function staffMails(parts: MailParts) {
  const inbox = mailbox(parts.mail.staff)
  return {
    orderPlacedStaff: {
      keptDays: 'feature',
      render: aboutOrder(parts, ({ order, invoice, brand }) => ({
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
              ['Address', addressOf(order).join(', ')],
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
      render: aboutOrder(parts, ({ order, brand }) => ({
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
  } satisfies Partial<Record<OrderMail, MailTemplate>>
}
