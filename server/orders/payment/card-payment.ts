import { failure, isFailure } from '#shared/failures.ts'
import type { Platform } from '../../feature.ts'
import { dueOf, type Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'
import { known } from '../staff-actions.ts'
import { balanceOf, leftOf } from './balance.ts'
import type { PageRequest, SessionState, StripePayments } from './stripe.ts'
import { paths } from '#shared/paths.ts'
import { leavePage } from './end-order.ts'

/** Says what is left to do while the payment service is down, in place of its usual sentence. */
const whileDown =
  (message: string) =>
  (cause: unknown): never => {
    throw isFailure(cause) && cause.failure === 'payment-down'
      ? failure('payment-down', { message, cause })
      : cause
  }

/** Where the payer returns to, and the description of the payment. */
export type CardPageRequest = Pick<PageRequest, 'name' | 'success' | 'cancel'>

/**
 * Opens and closes the card payment pages of bookings' invoices. An invoice has one open page at most,
 * over exactly what is left to pay: before another one is opened, the last one is closed, so that no
 * invoice is paid twice.
 * @param take takes a payment that Stripe tells of
 */
export function cardPayments(
  { commit, log }: Pick<Platform, 'commit' | 'log'>,
  { orders, invoices, stripe }: Pick<OrderDeps, 'orders' | 'invoices' | 'stripe'>,
  take: (state: SessionState) => Promise<void>,
) {
  /** Cents that can be paid by card now: what is left of a booking's open invoice. */
  const payable = (order: Order): number =>
    stripe === null || order.booking === null || order.state !== 'open'
      ? 0
      : leftOf(balanceOf(order, { orders, invoices }))

  /** Forgets an order's payment page that can't be paid any more; one opened since stays. */
  const forget = (session: string): Promise<void> =>
    commit((tx) => {
      const order = orders.ofSession(session)
      if (order?.booking && !isTaken(order, session)) {
        orders.change(tx, order, { session: null, sessionUrl: null })
      }
    })

  /** Whether the payment of a page is recorded. */
  const isTaken = ({ id }: Order, session: string): boolean =>
    orders
      .paymentsOf(id)
      .some(({ source, externalId }) => source === 'stripe' && externalId === session)

  /** Closes a payment page; a payment made there in the meantime is recorded. @throws payment-down */
  const close = async (service: StripePayments, session: string): Promise<SessionState> => {
    const state = await service.close(session)
    if (state.paid) await take(state)
    else if (state.status === 'expired') await forget(session)
    return state
  }

  /** The open page, if it asks for the right amount. @throws wrong-state, payment-down */
  const openPage = async (
    service: StripePayments,
    session: string,
    amount: number,
  ): Promise<string | null> => {
    const state = await service.look(session)
    if (state.status === 'open' && state.amount === amount && state.url) return state.url
    const { paid, status } = await close(service, session)
    if (paid) throw failure('wrong-state', { message: 'This invoice is already paid. Thank you!' })
    if (status === 'complete') {
      throw failure('wrong-state', {
        message:
          'Your payment is on its way. Please don’t pay again; we’ll email you once it arrives.',
      })
    }
    return null
  }

  const pageOf = async (number: string, request: CardPageRequest): Promise<string> => {
    const before = known(orders.find(number))
    const amount = payable(before)
    if (!stripe || amount === 0) {
      throw failure('wrong-state', {
        message: 'Nothing is left to pay by card for this invoice.',
      })
    }
    if (before.session !== null) {
      const url = await openPage(stripe, before.session, amount)
      if (url !== null) return url
    }
    const order = known(orders.find(number))
    const page = await stripe.open(order, {
      ...request,
      amount,
      // A double click gets the same page; after a change of the order, a new one.
      key: `order-${number}-${order.sequence}-${amount}`,
    })
    const url = await commit((tx) => {
      const now = orders.findId(order.id)!
      if (now.session === page.session) return page.url
      if (now.sequence !== order.sequence || payable(now) !== amount) return null
      return orders.change(tx, now, { session: page.session, sessionUrl: page.url }) && page.url
    })
    if (url !== null) return url
    // No one has seen its address, so nothing was paid there.
    await stripe.close(page.session)
    throw failure('changed', { message: 'This invoice has just changed. Please try again.' })
  }

  return {
    payable,
    isTaken,

    /**
     * Opens the page where the rest of an invoice is paid by card.
     * @returns its address at the payment service
     * @throws wrong-state when nothing is left to pay, or a payment is on its way; missing;
     *   payment-down
     */
    page: (number: string, request: CardPageRequest): Promise<string> =>
      pageOf(number, request).catch(
        whileDown(
          'The payment service isn’t responding. Please try again in a moment, or pay by bank transfer with the invoice.',
        ),
      ),

    /**
     * Closes an invoice's card page unless it asks for the current balance; a payment made there in the
     * meantime is recorded.
     * @throws payment-down
     */
    async closePage(order: Order): Promise<void> {
      if (!stripe || order.session === null || isTaken(order, order.session)) return
      const { status, amount } = await stripe.look(order.session)
      if (status === 'open' && amount === payable(order) && amount > 0) return
      const { status: now } = await close(stripe, order.session)
      log.info({ order: order.number, page: now }, 'card page of an invoice closed')
    },

    /** Handles news of an invoice's page: its payment, or its end. */
    async heard(state: SessionState): Promise<void> {
      if (state.paid) await take(state)
      else if (state.status === 'expired') await forget(state.session)
    },

    /** Forgets a page whose payment failed after it was submitted, so that a new one can be opened. */
    failed: forget,
  }
}

const cartKept =
  'The payment service isn’t responding. We’ve kept your cart; please try again in a moment.'

/**
 * Finds where an order is paid: its page at the payment service, the one that is open already, or where
 * no payment is waited for any more.
 * @returns a function that throws payment-down
 */
export function paymentPages(
  platform: Platform,
  { orders, stripe }: Pick<OrderDeps, 'orders' | 'stripe'>,
  successUrl: (order: Order) => string,
): (order: Order) => Promise<string> {
  const { commit, config } = platform
  return async (order) => {
    if (order.state !== 'pending') return successUrl(order)
    if (order.sessionUrl !== null) return order.sessionUrl
    if (!stripe) throw failure('payment-down', { message: cartKept })
    const page = await stripe
      .open(order, {
        amount: dueOf(order),
        name: `Order ${order.number}`,
        key: `order-${order.number}`,
        success: successUrl(order),
        cancel: config.siteUrl + paths.checkout(),
      })
      .catch(whileDown(cartKept))
    const isOver = await commit((tx) => {
      const now = orders.findId(order.id)!
      if (now.session === null) {
        orders.change(tx, now, { session: page.session, sessionUrl: page.url })
        // It ended before its page was opened.
        if (now.state !== 'pending') leavePage(tx, { platform }, now)
      }
      return now.state !== 'pending'
    })
    return isOver ? successUrl(order) : page.url
  }
}
