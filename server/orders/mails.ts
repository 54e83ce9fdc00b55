import type { Transaction } from '../db/group-commit.ts'
import type { MailStore } from '../mail/store.ts'
import type { MailTemplate } from '../mail/template.ts'
import { buyerMails } from './buyer-mails.ts'
import type { OrderMailDeps, OrderMail } from './order-mail.ts'
import { paymentMails } from './payment-mails.ts'
import { staffMails } from './staff-mails.ts'
import type { Order } from './order.ts'
import { withdrawalMails } from './withdrawal-mails.ts'

/** Queues a mail about an order; belongs into the transaction of what it tells. */
export const orderMail = (
  tx: Transaction,
  mails: Pick<MailStore, 'enqueue'>,
  kind: OrderMail,
  order: Order,
  invoice: number | null,
  more: { isProven?: boolean } = {},
): boolean =>
  mails.enqueue(tx, kind, {
    key: `order-${order.number}-${invoice ?? order.sequence}`,
    data: { order: order.number, invoice, ...more },
    recipient: order.email,
  })

/** Makes the templates. */
export const orderMails = (deps: OrderMailDeps): Record<OrderMail, MailTemplate> => ({
  ...buyerMails(deps),
  ...paymentMails(deps),
  ...withdrawalMails(deps),
  ...staffMails(deps),
})
