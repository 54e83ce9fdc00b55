import { dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Platform } from '../../feature.ts'
import type { OrderDeps } from '../order-deps.ts'
import { balanceOf, leftOf } from './balance.ts'
import { closePageKind, feeKind } from './end-order.ts'
import { withFallback } from '../../concurrency/timeout.ts'
import { cardPayments } from './card-payment.ts'
import type { SessionState } from './stripe.ts'
import { takeCharge, takeFailedRefund } from './stripe-charges.ts'
import { expireOrder, takePayment, takeTransfer, type PaymentOutcome } from './take-payment.ts'
import { known } from '../staff-actions.ts'
import type { Order } from '../order.ts'
import { noun } from '../shares.ts'

/**
 * What stands for the note of a payment that staff recorded without one: how many came before it. What it
 * adds up to doesn't tell it from one that was taken back since.
 */
const nameless = (earlier: number): string => (earlier === 0 ? '0' : `payment ${earlier + 1}`)

/** Whether a note is none of staff's own. */
export const isNameless = (note: string): boolean => /^(?:0|payment \d{1,6})$/.test(note)

/** The state of queries about one order's payment. */
type Asking = {
  /** The query in flight; null if none. */
  running: Promise<void> | null
  /** Milliseconds from the start of one question to the next. */
  pause: number
  /** When the next view may ask again, in milliseconds of the epoch. */
  nextAt: number
}

/** Pauses between the questions about an order: each is half as long again, up to a minute. */
const pauses = { first: 1_500, growth: 1.5, max: 60_000 }
/** Milliseconds that a page waits for the answer, which usually suffices. */
const viewWait = 400
/** Orders whose pauses are remembered at a time; the oldest are forgotten. */
const maxAskings = 1_000

/**
 * Creates the queries to the payment service about orders: one question per order at a time, whoever
 * wants to know, and growing pauses between those that are asked because a page is looked at.
 * @param ask asks about one order and takes the answer; never rejects
 */
function createQuestions(clock: () => number, ask: (order: Order) => Promise<void>) {
  const askings = new Map<number, Asking>()

  /** Asks about an order, or joins the query in flight. */
  const once = (order: Order): Promise<void> => {
    const last = askings.get(order.id)
    if (last?.running) return last.running
    const pause = last ? Math.min(last.pause * pauses.growth, pauses.max) : pauses.first
    const asking: Asking = { running: null, pause, nextAt: clock() + pause }
    asking.running = ask(order).then(() => void (asking.running = null))
    askings.delete(order.id)
    askings.set(order.id, asking)
    for (const [id, { running }] of askings) {
      if (askings.size <= maxAskings) break
      if (!running) askings.delete(id)
    }
    return asking.running
  }

  return {
    /** Resolves with the answer. The next page may ask again right after it. */
    async answered(order: Order): Promise<void> {
      await once(order)
      const asking = askings.get(order.id)
      if (asking) asking.nextAt = clock()
    },
    /** Asks if it's due; resolves with the answer if it comes soon, else without one. */
    async beside(order: Order): Promise<void> {
      const last = askings.get(order.id)
      // A pause that seems longer than it is began before the clock was set back.
      const left = last ? last.nextAt - clock() : 0
      if (last && (last.running !== null || (left > 0 && left <= last.pause))) return
      await withFallback(once(order), viewWait, undefined)
    },
    /** Resolves once no query is in flight. */
    async settled(): Promise<void> {
      for (const { running } of askings.values()) await running
    },
  }
}

/** Creates the acts that follow from a payment, or from one that didn't come in time. */
export function paymentActions(platform: Platform, deps: OrderDeps) {
  const { commit, clock, jobs, log, outbox, shares } = platform
  const { shop, orders, invoices, payouts, stripe, seller, withdrawals } = deps
  const paymentDeps = { platform, orders, invoices, payouts, shop }

  /** Whether the payment service may know more about an order than we do. */
  const isOpen = (order: Order): boolean => {
    const { state, session, paidAt, number, booking } = order
    if (!stripe || session === null) return false
    if (booking !== null) return !cards.isTaken(order, session)
    if (paidAt !== null) return false
    // Once its page is closed, an order that is over cannot be paid.
    return state === 'pending' || jobs.find(closePageKind, number) !== null
  }

  /** Records a payment reported by Stripe. */
  const take = async (session: SessionState): Promise<void> => {
    const sellerNow = await seller()
    await commit((tx) => takePayment(tx, paymentDeps, session, sellerNow))
    outbox.wake()
  }
  const cards = cardPayments(platform, deps, take)

  const questions = createQuestions(clock, async (order) => {
    try {
      const session = await stripe!.look(order.session!)
      if (order.booking !== null) await cards.heard(session)
      else if (session.paid) await take(session)
    } catch (err) {
      log.warn({ err, order: order.number }, 'payment status not read')
    }
  })

  return {
    /** The invoices of bookings, paid by card. */
    cards,

    /** An order that is not paid, after asking the payment service whether it has been. */
    async refreshed(order: Order): Promise<Order> {
      if (!isOpen(order)) return order
      await questions.answered(order)
      return orders.findId(order.id) ?? order
    },

    /**
     * An order as a page shows it, while the payment service is asked in the background. Only the page
     * that asks waits a moment.
     */
    async viewed(order: Order): Promise<Order> {
      if (!isOpen(order)) return order
      await questions.beside(order)
      return orders.findId(order.id) ?? order
    },

    /** Resolves once no query is in flight, for shutdown. */
    asked: questions.settled,

    /** Handles an event of the payment service. @throws malformed when it is forged or too old */
    async webhook(body: Buffer, signature: string | undefined): Promise<PaymentOutcome> {
      if (!stripe) throw failure('missing')
      const { id, type, session, charge, failedRefund } = await stripe.read(body, signature)
      const sellerNow = await seller()
      const outcome = await commit((tx): PaymentOutcome => {
        if (orders.isKnown(id)) return 'repeat'
        const told = charge
          ? takeCharge(tx, paymentDeps, charge)
          : failedRefund && takeFailedRefund(tx, paymentDeps, failedRefund)
        if (told) {
          // Of a payment that isn't known yet: sent again from the dashboard, it is to count.
          if (told !== 'ignored') orders.note(tx, id, type, told)
          return told
        }
        const counts =
          type === 'checkout.session.completed' ||
          type === 'checkout.session.async_payment_succeeded'
        const result =
          counts && session ? takePayment(tx, paymentDeps, session, sellerNow) : 'ignored'
        orders.note(tx, id, type, result)
        return result
      })
      outbox.wake()
      if (session && type === 'checkout.session.async_payment_failed') {
        await cards.failed(session.session)
      }
      log.info({ event: id, type, outcome }, 'payment event')
      return outcome
    },

    /**
     * Records the payment service's fee for each payment of an order, and what went back of it in the
     * dashboard before the payment was known here: the event of that named an unknown payment.
     * @throws payment-down
     */
    async noteFee(number: string): Promise<void> {
      const order = orders.find(number)
      if (!stripe || !order) return
      for (const payment of orders.paymentsOf(order.id)) {
        const { source, paymentIntent, amount, fee: noted, recordedAt } = payment
        if (source !== 'stripe' || paymentIntent === null || amount <= 0 || noted !== null) continue
        const { fee, refunded } = await stripe.charge(paymentIntent)
        if (refunded > 0) {
          const told = { paymentIntent, refunded, dispute: null, moved: null }
          await commit((tx) => takeCharge(tx, paymentDeps, told))
          outbox.wake()
        }
        if (fee !== null) await commit((tx) => orders.setFee(tx, paymentIntent, fee))
        // Stripe may book it up to some hours later; that of another currency it never tells in euros.
        else if (clock() - recordedAt < dayMs) {
          await commit((tx) => jobs.schedule(tx, feeKind, number, clock() + hourMs))
        }
      }
    },

    async expire(number: string): Promise<void> {
      const waitingUntil = shares.waiting(noun, number)?.until ?? Infinity
      await commit((tx) =>
        expireOrder(tx, paymentDeps, number, {
          waitingUntil,
          isWithdrawn: withdrawals.isOpen,
          hasLeft: (order) => deps.parcels.of(order).length > 0,
        }),
      )
      outbox.wake()
    },

    /**
     * Closes the payment page of an ended order; a payment made there in the meantime is recorded.
     * @throws payment-down
     */
    async closePage(number: string): Promise<void> {
      const order = orders.find(number)
      if (!stripe || !order || order.session === null) return
      if (order.booking !== null) {
        await cards.closePage(order)
        return
      }
      if (order.state === 'pending' || order.paidAt !== null) return
      const session = await stripe.close(order.session)
      if (session.paid) await take(session)
    },

    /**
     * Records money for an invoice that staff have seen: the rest of it unless an amount is given.
     * @param payment `note` tells it from others of the same order; the same one counts once
     * @throws invalid for a day in the future, or before the order; wrong-state for an order without an open invoice, and for one
     *   that is paid already; duplicate for a payment that was recorded before
     */
    async paid(
      number: string,
      payment: { note?: string; amount?: number; paidOn?: string; actor: string },
    ): Promise<Order> {
      const today = dateAt(clock())
      // A typo in the year would book it in a month that no one looks at.
      if (payment.paidOn !== undefined && payment.paidOn > today) {
        throw failure('invalid', {
          message: `${payment.paidOn} is in the future: enter the day on which the money came.`,
        })
      }
      const { order, recorded } = await commit((tx) => {
        const before = known(orders.find(number))
        if (!['open', 'shipped', 'paid'].includes(before.state)) {
          throw failure('wrong-state', {
            message: `${before.number} is ${before.state}; only invoices can be marked as paid.`,
          })
        }
        const placedOn = dateAt(before.placedAt)
        // Of last January, it would be booked in a year that is over. A booking may be paid ahead of its invoice.
        if (before.booking === null && payment.paidOn !== undefined && payment.paidOn < placedOn) {
          throw failure('invalid', {
            message: `${payment.paidOn} is before the order, which was placed on ${longDate(placedOn)}: enter the day on which the money came.`,
          })
        }
        const balance = balanceOf(before, deps)
        const due = leftOf(balance)
        if (payment.amount === undefined && due <= 0) {
          throw failure('wrong-state', { message: `${before.number} is already paid.` })
        }
        const transfer = {
          source: 'staff' as const,
          externalId: payment.note ?? nameless(orders.paymentsOf(before.id).length),
          payer: null,
          amount: payment.amount ?? due,
          paidOn: payment.paidOn ?? today,
        }
        return takeTransfer(tx, paymentDeps, before, transfer, payment.actor)
      })
      if (!recorded) throw failure('duplicate', { message: 'This payment is already recorded.' })
      outbox.wake()
      return order
    },
  }
}
