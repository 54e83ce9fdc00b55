import type { Stripe } from 'stripe'
import { failure } from '#shared/failures.ts'
import type { Order } from './order.ts'

/** Where Stripe is, and with which keys. */
type StripeConfig = { secretKey: string; webhookSecret: string; apiBase: string | null }

/** A page of the payment service. */
export type PaymentPage = { session: string; url: string }

/** What the payment service says of a session. */
export type SessionState = {
  session: string
  /** Null until the buyer began to pay. */
  paymentIntent: string | null
  paid: boolean
  /** Cents, and the currency in small letters. */
  amount: number | null
  currency: string | null
}

/** An event that is really from Stripe. */
export type PaymentEvent = { id: string; type: string; session: SessionState | null }

/** Payment by Stripe, through its own package; its objects stay in this file. */
export type StripePayments = {
  /** Opens a page where an order is paid. @throws payment-down */
  open(order: Order, addresses: { success: string; cancel: string }): Promise<PaymentPage>
  /** What has become of a session. @throws payment-down */
  look(session: string): Promise<SessionState>
  /** Closes a payment page. @returns what became of it, also when it was over already @throws payment-down */
  close(session: string): Promise<SessionState>
  /** Gives money back. @param cents of it @throws payment-down */
  refund(paymentIntent: string, cents: number, idempotencyKey: string): Promise<void>
  /** Reads a webhook. @throws malformed when it is forged or too old */
  read(body: Buffer, signature: string | undefined): Promise<PaymentEvent>
}

/** Seconds after which a signature counts no more, so that a recorded call cannot be sent again. */
const toleranceSeconds = 300

/** Milliseconds that the payment service gets to answer. */
const requestTimeout = 8_000

/** Makes the payments; null while no keys are configured. */
export function createStripe(config: StripeConfig | null): StripePayments | null {
  if (!config) return null
  // Only a site with keys loads the package, which takes 20 MB.
  const loaded = load(config)
  const reach = async <Value>(ask: (stripe: Stripe) => Promise<Value>): Promise<Value> => {
    try {
      return await ask(await loaded)
    } catch (cause) {
      throw failure('payment-down', { cause })
    }
  }

  return {
    open: (order, addresses) =>
      reach(async (stripe) => {
        const session = await stripe.checkout.sessions.create(pageOf(order, addresses), {
          idempotencyKey: `order-${order.number}`,
        })
        if (!session.url) throw new Error('The payment service gave no page.')
        return { session: session.id, url: session.url }
      }),
    look: (session) =>
      reach(async (stripe) => stateOf(await stripe.checkout.sessions.retrieve(session))),
    close: (session) => reach(async (stripe) => stateOf(await close(stripe, session))),
    refund: (paymentIntent, cents, idempotencyKey) =>
      reach(async (stripe) => {
        await stripe.refunds.create(
          { payment_intent: paymentIntent, amount: cents },
          { idempotencyKey },
        )
      }),
    async read(body, signature) {
      const stripe = await loaded
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(
          body,
          signature ?? '',
          config.webhookSecret,
          toleranceSeconds,
        )
      } catch (cause) {
        throw failure('malformed', { message: 'The signature of this event is wrong.', cause })
      }
      return eventOf(event)
    },
  }
}

async function load({ secretKey, apiBase }: StripeConfig): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const base = apiBase ? new URL(apiBase) : null
  return new Stripe(secretKey, {
    timeout: requestTimeout,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  })
}

/** The page of an order, as Stripe is asked for it. */
const pageOf = (
  order: Order,
  { success, cancel }: { success: string; cancel: string },
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  client_reference_id: order.number,
  customer_email: order.email,
  success_url: success,
  cancel_url: cancel,
  metadata: { order: order.number },
  // One line with the total: prices, shipping and VAT are worked out here alone.
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: order.total,
        product_data: { name: `Order ${order.number}` },
      },
    },
  ],
})

/** Closes a page that is still open. @returns its session as it is then */
async function close(stripe: Stripe, session: string): Promise<Stripe.Checkout.Session> {
  const { sessions } = stripe.checkout
  const { status } = await sessions.retrieve(session)
  // Only an open one can be closed; asked for once more, since it may have been paid in between.
  if (status === 'open') {
    await sessions.expire(session).catch(async (cause: unknown) => {
      if ((await sessions.retrieve(session)).status === 'open') throw cause
    })
  }
  return sessions.retrieve(session)
}

const eventOf = ({ id, type, data }: Stripe.Event): PaymentEvent => ({
  id,
  type,
  session: type.startsWith('checkout.session.')
    ? stateOf(data.object as Stripe.Checkout.Session)
    : null,
})

const stateOf = (session: Stripe.Checkout.Session): SessionState => ({
  session: session.id,
  paymentIntent:
    typeof session.payment_intent === 'string'
      ? session.payment_intent
      : (session.payment_intent?.id ?? null),
  paid: session.payment_status === 'paid',
  amount: session.amount_total,
  currency: session.currency,
})
