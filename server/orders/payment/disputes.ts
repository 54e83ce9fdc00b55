import { dateAt } from '#shared/dates/civil-dates.ts'
import { euros } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { hasDisputeMail, orderMail } from '../mails/mails.ts'
import { momentText } from '../mails/order-mail-template.ts'
import type { Order } from '../order.ts'
import type { PaymentDeps } from './end-order.ts'
import { disputeIds } from './payment-records.ts'
import { sharesOf, type RestOf } from './payment-shares.ts'
import type { ChargeState, Dispute } from './stripe.ts'

/** What Stripe tells of a dispute, and the orders whose payment it is about. */
type Told = {
  holders: readonly Order[]
  paymentIntent: string
  dispute: Dispute
  moved: ChargeState['moved']
  cardRest: RestOf
}

/** How the history names what becomes of a payment that a bank asks about or wants back. */
const acts = {
  orderInquiryStaff: 'asked about by a bank',
  orderInquiryClosedStaff: 'inquiry by a bank closed',
  orderDisputedStaff: 'disputed',
  orderDisputeWonStaff: 'dispute won',
  orderDisputeLostStaff: 'dispute lost',
}

type DisputeMail = keyof typeof acts

/** How the bank has decided, by the email that says so. */
const ends = { won: 'orderDisputeWonStaff', lost: 'orderDisputeLostStaff' } as const

/**
 * Takes what Stripe tells of a dispute: staff hear of it once and how it ends, and what it moves is
 * recorded. An inquiry is none yet: it moves nothing, and staff hear how it ends. Call it inside a
 * transaction.
 */
export function takeDispute(
  tx: Transaction,
  deps: PaymentDeps,
  told: Told,
): 'disputed' | 'inquiry' | 'repeat' {
  const { mails, log } = deps.platform
  const { holders, dispute, moved, cardRest } = told
  const { stage } = dispute
  const whoKnow = (kind: DisputeMail) =>
    holders.filter((holder) => hasDisputeMail(mails, kind, holder, dispute))
  const shares = () => sharesOf(holders, dispute.amount, cardRest)
  const asked = whoKnow('orderInquiryStaff')
  if (stage === 'inquiry') {
    // Events may come late, when its money is gone.
    if (asked.length > 0 || whoKnow('orderDisputedStaff').length > 0) return 'repeat'
    for (const { holder, part } of shares()) {
      tell(tx, deps, holder, { kind: 'orderInquiryStaff', dispute: { ...dispute, amount: part } })
      log.warn({ order: holder.number }, 'bank inquiry about payment')
    }
    return 'inquiry'
  }
  const hasEnded = Object.values(ends).some((kind) => whoKnow(kind).length > 0)
  if (stage === 'won' || stage === 'lost') {
    if (hasEnded) return 'repeat'
    const known = whoKnow('orderDisputedStaff')
    const about = known.length > 0 ? known : shares().map(({ holder }) => holder)
    for (const holder of about) {
      tell(tx, deps, holder, { kind: ends[stage], dispute })
      log.warn({ order: holder.number }, `dispute ${stage}`)
    }
    return 'disputed'
  }
  // What follows an inquiry is told to those who heard of it.
  if (asked.length === 0 && stage !== 'dispute') return 'repeat'
  if (stage === 'inquiry closed') {
    if (whoKnow('orderInquiryClosedStaff').length > 0) return 'repeat'
    for (const holder of asked) {
      tell(tx, deps, holder, { kind: 'orderInquiryClosedStaff', dispute })
      log.info({ order: holder.number }, 'bank inquiry closed')
    }
    return 'inquiry'
  }
  // Whichever of its events comes first, before money moves: that changes who has a share of it.
  const isNews = !hasEnded && (!moved || moved.amount < 0)
  if (isNews && whoKnow('orderDisputedStaff').length === 0) {
    const wasInquiry = asked.length > 0
    for (const { holder, part } of shares()) {
      const about = { ...dispute, amount: part, wasInquiry }
      tell(tx, deps, holder, { kind: 'orderDisputedStaff', dispute: about })
      log.warn({ order: holder.number, alert: true }, 'payment disputed')
    }
  }
  return moved ? move(tx, deps, told, moved) : 'disputed'
}

/** Tells staff and the history of an order's share of a dispute. */
function tell(
  tx: Transaction,
  { platform: { mails, timeline } }: PaymentDeps,
  order: Order,
  { kind, dispute }: { kind: DisputeMail; dispute: Dispute & { wasInquiry?: boolean } },
): void {
  const { wasInquiry = false } = dispute
  timeline.record(tx, {
    ...thingOf(order),
    act: wasInquiry ? `${acts[kind]} after an inquiry` : acts[kind],
    note: noteOf(dispute),
  })
  orderMail(tx, mails, kind, order, null, { dispute: { ...dispute, wasInquiry } })
}

/** What the history says beyond the act. */
function noteOf({ amount, reason, answerBy, stage }: Dispute): string {
  if (stage === 'inquiry closed') return 'no dispute, nothing taken'
  if (stage === 'won') return 'decided in our favour'
  if (stage === 'lost') return 'decided in the buyer’s favour'
  return [
    [euros(amount), reason].filter(Boolean).join(': '),
    ...(answerBy === null ? [] : [`answer by ${momentText(answerBy)}`]),
    ...(stage === 'inquiry' ? ['nothing taken so far'] : []),
  ].join('; ')
}

const thingOf = ({ number }: Order) => ({ thing: 'order', thingId: number, actor: 'stripe' })

/** Records money that a dispute took or gave back, each once. */
function move(
  tx: Transaction,
  { orders, platform: { clock, timeline } }: PaymentDeps,
  { holders, paymentIntent, dispute, cardRest }: Told,
  moved: NonNullable<ChargeState['moved']>,
): 'disputed' | 'repeat' {
  const { taken, back } = disputeIds(dispute.id)
  const isTaken = moved.amount < 0
  const said = (holder: Order, externalId: string) =>
    orders.paymentsOf(holder.id).find((each) => each.externalId === externalId)
  const externalId = isTaken ? taken : back
  if (holders.some((holder) => said(holder, externalId))) return 'repeat'
  const restOf = isTaken ? cardRest : (holder: Order) => -(said(holder, taken)?.amount ?? 0)
  for (const [at, { holder, part }] of sharesOf(
    holders,
    Math.abs(moved.amount),
    restOf,
  ).entries()) {
    orders.pay(tx, {
      order: holder.id,
      source: 'stripe',
      externalId,
      payer: null,
      amount: isTaken ? -part : part,
      paidOn: dateAt(clock()),
      paymentIntent,
    })
    // Charged once for the dispute, however many orders share its payment.
    if (at === 0 && moved.fee !== null) {
      orders.setDisputeFee(tx, { order: holder.id, externalId }, moved.fee)
    }
    const act = isTaken ? 'money taken by a dispute' : 'money given back by a dispute'
    timeline.record(tx, { ...thingOf(holder), act, note: euros(part) })
  }
  return 'disputed'
}
