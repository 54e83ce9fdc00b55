import type { Transaction } from '../../db/group-commit.ts'
import type { MailStore } from '../../mail/store.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { bookingMoneyMails } from './booking-mails.ts'
import { buyerMails } from './buyer-mails.ts'
import type { OrderMailDeps, OrderMail } from './order-mail-template.ts'
import { paymentMails } from './payment-mails.ts'
import { staffMails } from './staff-mails.ts'
import type { Order } from '../order.ts'
import { withdrawalMails } from './withdrawal-mails.ts'

/** Those of them that go to staff. */
const staffKinds: ReadonlySet<OrderMail> = new Set<OrderMail>([
  'orderPlacedStaff',
  'orderAttention',
  'orderReplacedStaff',
  'orderPaidTwiceStaff',
  'orderRefundedStaff',
  'orderDisputedStaff',
  'orderRefundFailedStaff',
  'bookingPaidBackStaff',
])

/** Queues an email about an order. Call it inside the transaction of what it tells. */
export const orderMail = (
  tx: Transaction,
  mails: Pick<MailStore, 'enqueue'>,
  kind: OrderMail,
  order: Order,
  invoice: number | null,
  {
    sequence,
    ...more
  }: {
    isProven?: boolean
    payout?: number
    kept?: number
    /** What that part is kept for; a cancellation fee unless this says otherwise. */
    keptFor?: 'travel' | undefined
    parcel?: number
    /** Pieces of it that the buyer had withdrawn from. */
    withdrawn?: number
    /** Of what may happen to an order more than once. */
    sequence?: number
    dispute?: { amount: number; reason: string | null }
  } = {},
): boolean =>
  mails.enqueue(tx, kind, {
    key: `order-${order.number}-${invoice ?? (more.payout ? `payout-${more.payout}` : more.parcel ? `parcel-${more.parcel}` : order.sequence)}${sequence === undefined ? '' : `-${sequence}`}`,
    about: { thing: 'order', id: order.number },
    data: { order: order.number, invoice, ...more },
    ...(staffKinds.has(kind) ? { toStaff: true } : { recipient: order.email }),
  })

/** Makes the templates. */
export const orderMails = (deps: OrderMailDeps): Record<OrderMail, MailTemplate> => ({
  ...buyerMails(deps),
  ...paymentMails(deps),
  ...bookingMoneyMails(deps),
  ...withdrawalMails(deps),
  ...staffMails(deps),
})
