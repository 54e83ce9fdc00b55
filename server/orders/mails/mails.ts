import type { Transaction } from '../../db/group-commit.ts'
import type { MailStore } from '../../mail/store.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { bookingMoneyMails } from './booking-mails.ts'
import { buyerMails } from './buyer-mails.ts'
import type { DisputeOfOrder, OrderMailDeps, OrderMail } from './order-mail-template.ts'
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
  'orderInquiryStaff',
  'orderInquiryClosedStaff',
  'orderDisputedStaff',
  'orderDisputeWonStaff',
  'orderDisputeLostStaff',
  'orderRefundFailedStaff',
  'bookingPaidBackStaff',
])

/** Several events may tell of a dispute, and an order may have several disputes. */
const disputeKey = ({ number }: Pick<Order, 'number'>, { id }: { id: string }): string =>
  `order-${number}-dispute-${id}`

/** Whether staff have been told of a dispute of an order by an email of this kind. */
export const hasDisputeMail = (
  mails: Pick<MailStore, 'of'>,
  kind: OrderMail,
  order: Pick<Order, 'number'>,
  dispute: { id: string },
): boolean =>
  mails
    .of('order', order.number)
    .some((mail) => mail.dedupeKey === `${disputeKey(order, dispute)}:${kind}`)

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
    dispute?: DisputeOfOrder
  } = {},
): boolean =>
  mails.enqueue(tx, kind, {
    key: more.dispute
      ? disputeKey(order, more.dispute)
      : `order-${order.number}-${invoice ?? (more.payout ? `payout-${more.payout}` : more.parcel ? `parcel-${more.parcel}` : order.sequence)}${sequence === undefined ? '' : `-${sequence}`}`,
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
