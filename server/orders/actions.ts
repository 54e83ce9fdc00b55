import type {
  CheckoutForm,
  CheckoutReply,
  CheckoutRequest,
  Download,
  OrderView,
} from '#shared/orders.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { officeDate } from '#shared/helsinki-time.ts'
import { vatTable } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { OrderAccess } from './access.ts'
import { giveBack, placeOrder, type ShopParts } from './checkout.ts'
import type { ProductFiles } from './files.ts'
import { addressOf, type Invoice, type Invoices, type Seller } from './invoices.ts'
import { orderMail, type OrderMail } from './mails.ts'
import {
  expireKind,
  expireOrder,
  takePayment,
  takeTransfer,
  type PaymentOutcome,
} from './payments.ts'
import type { StripePayments } from './stripe.ts'
import type { Order, OrderChange, OrderStore } from './store.ts'
import { downloadsOpenOn, exemptionOf } from './terms.ts'

/** What may be done with orders, by whoever it is. */
export type OrderActions = ReturnType<typeof orderActions>

/** What the actions are made from. */
export type OrderParts = {
  shop: ShopParts & { cartOf(requestContext: RequestContext): number | null }
  orders: OrderStore
  invoices: Invoices
  access: OrderAccess
  files: ProductFiles
  stripe: StripePayments | null
  seller: () => Promise<Seller>
  countries: readonly { code: string; name: string }[]
}

/** Makes the actions: each is one transaction with its documents, mails and timeline entry. */
export function orderActions(platform: Platform, parts: OrderParts) {
  const { commit, clock, config, jobs, log, mails, outbox, timeline } = platform
  const { shop, orders, invoices, access, files, stripe, seller } = parts
  const money = { platform, orders, invoices, shop }
  const successUrl = (order: Order) => config.siteUrl + paths.checkoutSuccess(access.tokenOf(order))

  const replyOf = (order: Order, repeat: boolean, next: string): CheckoutReply => ({
    success: true,
    order: order.number,
    token: access.tokenOf(order),
    total: order.total,
    next,
    ...(repeat && { repeat }),
  })

  /** Opens the payment page of an order, or gives the one that is open. @throws payment-down */
  const paymentPage = async (order: Order): Promise<string> => {
    if (order.state !== 'pending') return successUrl(order)
    if (order.sessionUrl !== null) return order.sessionUrl
    if (!stripe) throw failure('payment-down')
    const page = await stripe.open(order, {
      success: successUrl(order),
      cancel: config.siteUrl + paths.checkout(),
    })
    await commit((tx) => {
      const now = orders.findId(order.id)!
      if (now.session === null) {
        orders.change(tx, now, { session: page.session, sessionUrl: page.url })
      }
    })
    return page.url
  }

  /** Changes an order by hand, all or nothing. @throws missing, clash */
  const change = async (
    number: string,
    actor: string,
    act: string,
    work: (
      tx: Transaction,
      order: Order,
    ) => { to: OrderChange; mail?: OrderMail; invoice?: number | null },
  ): Promise<Order> => {
    const changed = await commit((tx) => {
      const order = known(orders.find(number))
      const { to, mail, invoice = null } = work(tx, order)
      const after = orders.change(tx, order, to)
      if (!after) throw failure('clash', { message: 'Somebody else changed this order meanwhile.' })
      timeline.record(tx, {
        thing: 'order',
        thingId: number,
        actor,
        act,
        before: order.state,
        after: after.state,
      })
      if (mail) orderMail(tx, mails, mail, after, invoice)
      return after
    })
    outbox.wake()
    log.info({ order: number, act, state: changed.state }, 'order changed')
    return changed
  }

  const invoiceOf = (order: Order): Invoice | null =>
    invoices.ofOrder(order.id).find(({ kind }) => kind === 'invoice') ?? null

  const downloadsOf = (order: Order): Download[] => {
    const opensOn = downloadsOpenOn(order)
    const isPaid = order.state === 'paid' || order.state === 'shipped'
    const waits = !isPaid
      ? 'It opens once your payment has arrived.'
      : order.digitalWaiver || dateAt(clock()) >= opensOn
        ? null
        : `It opens on ${officeDate(opensOn)}, when your right of withdrawal has ended.`
    return order.lines
      .filter(({ kind }) => kind === 'digital')
      .flatMap((line) =>
        line.files.map((name) => ({
          name,
          bytes: files.size(name),
          href: waits ? null : paths.download(access.downloadToken(order, line.id), name),
          waits,
        })),
      )
  }

  return {
    orders,
    invoices,
    successUrl,
    invoiceOf,

    /** What the checkout page is made from. */
    form(requestContext: RequestContext): CheckoutForm {
      const { lines } = shop.price(shop.cartOf(requestContext))
      return {
        payments: stripe ? ['invoice', 'stripe'] : ['invoice'],
        countries: [...parts.countries],
        needs: {
          address: lines.some(({ product }) => product.kind === 'physical'),
          waiver: lines.some(({ product }) => product.kind === 'digital'),
        },
        exempt: lines.flatMap(({ title, product: { kind, madeToOrder } }) => {
          const why = exemptionOf({ kind, madeToOrder }, { digitalWaiver: false })
          return why ? [{ title, why }] : []
        }),
      }
    },

    /** Places an order; see {@link placeOrder} for what it throws, and payment-down. */
    async checkout(
      request: CheckoutRequest,
      requestContext: RequestContext,
    ): Promise<CheckoutReply> {
      if (request.payment === 'stripe' && !stripe) {
        throw failure('invalid', { errors: { payment: 'Please choose another way to pay' } })
      }
      if (request.website)
        throw failure('invalid', { errors: { website: 'Please leave this empty' } })
      const sells = await seller()
      const cart = shop.cartOf(requestContext)
      const { order, repeat } = await commit((tx) => {
        const placed = placeOrder(
          tx,
          { shop, orders, invoices, clock },
          { request, cart, seller: sells },
        )
        if (placed.repeat) return placed
        timeline.record(tx, {
          thing: 'order',
          thingId: placed.order.number,
          actor: 'visitor',
          act: 'placed',
          after: placed.order.state,
        })
        if (placed.order.state === 'open') {
          const invoice = invoiceOf(placed.order)!.number
          orderMail(tx, mails, 'orderConfirmed', placed.order, invoice)
          orderMail(tx, mails, 'orderPlacedStaff', placed.order, invoice)
        } else {
          jobs.schedule(tx, expireKind, placed.order.number, placed.order.reservedUntil!)
        }
        return placed
      })
      if (!repeat) {
        outbox.wake()
        log.info(
          { order: order.number, total: order.total, payment: order.payment },
          'order placed',
        )
      }
      if (order.payment === 'invoice') return replyOf(order, repeat, successUrl(order))
      return replyOf(order, repeat, await paymentPage(order))
    },

    /** An order as its buyer may see it now; asks once for a payment that has not been told yet. */
    async view(token: string, requestContext: RequestContext): Promise<OrderView> {
      const order = await this.refreshed(access.find(token))
      if (!access.isOpen(order, requestContext)) {
        return { order: order.number, state: order.state, details: null }
      }
      const invoice = invoiceOf(order)
      const document = invoice?.document
      return {
        order: order.number,
        state: order.state,
        details: {
          placedAt: new Date(order.placedAt).toISOString(),
          name: order.name,
          email: order.email,
          lines: order.lines.map(({ handle, variant, title, quantity, unit, total }) => ({
            handle: handle ?? '',
            variant: variant ?? '',
            title,
            quantity,
            unit,
            total,
          })),
          shipping: order.shipping,
          total: order.total,
          vat: vatTable([
            ...order.lines.map(({ total, rate }) => ({ gross: total, rate })),
            ...(order.shippingRate === null
              ? []
              : [{ gross: order.shipping, rate: order.shippingRate }]),
          ]),
          payment: order.payment,
          invoice:
            invoice && document
              ? {
                  number: String(invoice.number),
                  reference: document.reference,
                  due: document.dueOn ?? '',
                  iban: document.paid ? '' : (document.seller.iban ?? ''),
                  barcode: document.barcode ?? '',
                  href: paths.invoicePdf(token),
                }
              : null,
          downloads: downloadsOf(order),
          address: order.street ? addressOf(order) : null,
        },
      }
    },

    /** A pending order, after asking the payment service whether it has been paid. */
    async refreshed(order: Order): Promise<Order> {
      if (order.state !== 'pending' || !stripe || order.session === null) return order
      try {
        const state = await stripe.look(order.session)
        if (!state.paid) return order
        const sells = await seller()
        await commit((tx) => takePayment(tx, money, state, sells))
        outbox.wake()
      } catch (err) {
        log.warn({ err, order: order.number }, 'the payment service could not be asked')
      }
      return orders.findId(order.id) ?? order
    },

    /** Takes an event of the payment service. @throws malformed when it is forged or too old */
    async webhook(body: Buffer, signature: string | undefined): Promise<PaymentOutcome> {
      if (!stripe) throw failure('missing')
      const { id, type, session } = stripe.read(body, signature)
      const sells = await seller()
      const outcome = await commit((tx): PaymentOutcome => {
        if (orders.isKnown(id)) return 'repeat'
        const counts =
          type === 'checkout.session.completed' ||
          type === 'checkout.session.async_payment_succeeded'
        const result = counts && session ? takePayment(tx, money, session, sells) : 'ignored'
        orders.note(tx, id, type, result)
        return result
      })
      outbox.wake()
      log.info({ event: id, type, outcome }, 'payment event')
      return outcome
    },

    /** Sends a code to the buyer, or opens the order with it. */
    async open(
      token: string,
      code: string | undefined,
      requestContext: RequestContext,
    ): Promise<boolean> {
      const order = access.find(token)
      if (code !== undefined && code.trim() !== '') {
        access.enter(order, code, requestContext)
        return true
      }
      const made = access.makeCode(order)
      await commit((tx) => {
        if (mails.queuedTo(order.email, 'orderCode', clock() - 3_600_000) >= 5) return
        mails.enqueue(tx, 'orderCode', {
          key: `order-code-${order.number}-${clock()}`,
          data: { order: order.number, code: made, to: order.email },
          recipient: order.email,
        })
      })
      outbox.wake()
      return false
    },

    expire: (number: string) => commit((tx) => expireOrder(tx, money, number)),

    /** Records a payment of an invoice. @returns false when this payment was told before */
    async paid(
      number: string,
      payment: { source: string; amount?: number; paidOn?: string; actor: string },
    ): Promise<{ recorded: boolean; order: Order }> {
      return commit((tx) => {
        const order = known(orders.find(number))
        return takeTransfer(tx, { orders, platform }, order, {
          source: payment.source,
          amount: payment.amount ?? order.total - orders.paid(order.id),
          paidOn: payment.paidOn ?? dateAt(clock()),
          actor: payment.actor,
        })
      })
    },

    ship: (number: string, actor: string) =>
      change(number, actor, 'shipped', (_tx, order) => {
        mustBe(order, ['open', 'paid'])
        return { to: { state: 'shipped', shippedAt: clock() }, mail: 'orderShipped' }
      }),

    /** Cancels what is not paid: pieces go back, and a credit note takes the invoice back. */
    cancel: (number: string, actor: string) =>
      change(number, actor, 'cancelled', (tx, order) => {
        mustBe(order, ['pending', 'open'])
        jobs.cancel(tx, expireKind, number)
        giveBack(tx, shop, order.lines)
        const invoice = invoiceOf(order)
        const credit = invoice && invoices.credit(tx, order, invoice)
        return {
          to: { state: 'cancelled', reservedUntil: null },
          mail: 'orderCancelled',
          invoice: credit?.number ?? null,
        }
      }),

    /** Gives the money of a paid order back; at Stripe for orders that were paid there. @throws payment-down */
    async refund(number: string, actor: string): Promise<Order> {
      const order = known(orders.find(number))
      mustBe(order, ['paid', 'shipped', 'attention'])
      if (order.payment === 'stripe') {
        if (!stripe || order.paymentIntent === null) throw failure('payment-down')
        await stripe.refund(order.paymentIntent, orders.paid(order.id), `refund-${number}`)
      }
      return change(number, actor, 'refunded', (tx, now) => {
        mustBe(now, ['paid', 'shipped', 'attention'])
        // What is paid for out of order has taken no pieces.
        if (now.state === 'paid') giveBack(tx, shop, now.lines)
        const invoice = invoiceOf(now)
        const credit = invoice && invoices.credit(tx, now, invoice)
        return {
          to: { state: 'refunded' },
          mail: 'orderCancelled',
          invoice: credit?.number ?? null,
        }
      })
    },
  }
}

/** @throws missing when there is no such order */
function known(order: Order | null): Order {
  if (!order) throw failure('missing', { message: 'There is no such order.' })
  return order
}

/** @throws clash when an order is in none of some states */
function mustBe({ state }: Order, states: readonly Order['state'][]): void {
  if (!states.includes(state)) {
    throw failure('clash', { message: `This order is ${state}, so that cannot be done with it.` })
  }
}
