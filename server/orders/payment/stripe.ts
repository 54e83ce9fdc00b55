import type { Stripe } from 'stripe'
import { failure } from '#shared/failures.ts'
import { sum } from '#shared/money.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Order } from '../order.ts'

/** Where Stripe is, and with which keys. */
type StripeConfig = { secretKey: string; webhookSecret: string; apiBase: string | null }

/** A page of the payment service. */
export type PaymentPage = { session: string; url: string }

/** What the payment service says of a session. */
export type SessionState = {
  session: string
  /** The number of the order that it was opened for. */
  order: string | null
  /** Null until the buyer began to pay. */
  paymentIntent: string | null
  paid: boolean
  /** `complete` and not paid: the payment is on its way, as with some banks. */
  status: 'open' | 'complete' | 'expired'
  /** Where it's paid; null once it is over. */
  url: string | null
  /** Cents, and the currency in lower case. */
  amount: number | null
  currency: string | null
}

/** What Stripe tells of money that went, or may go, back: refunded in its dashboard, or disputed. */
export type ChargeState = {
  paymentIntent: string
  /** Cents that were refunded so far, in all; null in what tells of a dispute. */
  refunded: number | null
  /** What the buyer's bank wants back, or asks about; null in what tells of a refund. */
  dispute: Dispute | null
  /**
   * Cents that a dispute took (negative) or gave back, and what Stripe charges for it (negative where that
   * comes back; null where it isn't said); null where nothing moved.
   */
  moved: { amount: number; fee: number | null } | null
}

/** A payment that the buyer's bank wants back or, as an inquiry, only asks about. */
export type Dispute = {
  /** Its name at Stripe; an inquiry that becomes a dispute keeps it. */
  id: string
  /** Cents. */
  amount: number
  /** Null where the bank gave none. */
  reason: string | null
  /** Milliseconds by when it's to be answered; null where that isn't said, or no answer is taken. */
  answerBy: number | null
  /** `continued` of a dispute is news only to those who know it as an inquiry. */
  stage: 'inquiry' | 'inquiry closed' | 'dispute' | 'continued' | 'won' | 'lost'
}

/** What Stripe tells of a refund that a bank has sent back to it. */
export type FailedRefund = {
  /** Its name at Stripe; several events may tell of it. */
  refund: string
  paymentIntent: string
  amount: number
  /** As Stripe names it, such as `expired_or_canceled_card`. */
  reason: string
  /** The payout that asked for it; null for one from the dashboard, and for older ones. */
  payout: number | null
}

/** What Stripe gave back: cents, and who asked for it. */
export type MadeRefund = {
  amount: number
  /** Null for one of a whole order, from the dashboard, and for older ones. */
  payout: number | null
  /** Whether it gave back a whole order from here. */
  isWhole: boolean
}

/** An event that is really from Stripe. */
export type PaymentEvent = {
  id: string
  type: string
  session: SessionState | null
  charge: ChargeState | null
  failedRefund: FailedRefund | null
}

/** What a page asks for; the same `key` again within a day is the same page. */
export type PageRequest = {
  /** Cents. */
  amount: number
  /** What is paid, for the buyer. */
  name: string
  key: string
  /** Where the buyer comes back to, absolute. */
  success: string
  cancel: string
}

/** Payment by Stripe, through its own package; its objects stay in this file. */
export type StripePayments = {
  /** Opens a page where an order is paid, or what is left of its invoice. @throws payment-down */
  open(order: Pick<Order, 'number' | 'email'>, request: PageRequest): Promise<PaymentPage>
  /** What has become of a session. @throws payment-down */
  look(session: string): Promise<SessionState>
  /** Closes a payment page. @returns what became of it, also when it was over already @throws payment-down */
  close(session: string): Promise<SessionState>
  /** Gives money back. @param cents of it @param asked by what: a payout, or all of an order at once @throws payment-down */
  refund(
    paymentIntent: string,
    cents: number,
    idempotencyKey: string,
    asked: { payout: number } | { order: string },
  ): Promise<void>
  /** What it gave back of a payment so far, whoever asked; without what failed. @throws payment-down */
  refundsOf(paymentIntent: string): Promise<MadeRefund[]>
  /**
   * What has become of a payment, in cents: what it kept of it, null while it doesn't know, and what went
   * back so far. @throws payment-down
   */
  charge(paymentIntent: string): Promise<{ fee: number | null; refunded: number }>
  /** Reads a webhook. @throws malformed when it is forged or too old */
  read(body: Buffer, signature: string | undefined): Promise<PaymentEvent>
}

/** Seconds after which a signature counts no more, so a recorded call cannot be sent again. */
const toleranceSeconds = 300

/**
 * Milliseconds that the payment service gets to answer, a second try after a broken connection
 * included: less than a page of ours waits for what it is made from.
 */
const requestTimeout = 6_000

/** Makes the payments; null while no keys are configured. */
export function createStripe(config: StripeConfig | null): StripePayments | null {
  if (!config) return null
  // Only a site with keys loads the package, which takes 20 MB.
  const loaded = load(config)
  const reach = async <Value>(ask: (stripe: Stripe) => Promise<Value>): Promise<Value> => {
    try {
      return await withTimeout(ask(await loaded), requestTimeout)
    } catch (cause) {
      throw failure('payment-down', { cause })
    }
  }

  return {
    open: (order, request) =>
      reach(async (stripe) => {
        const session = await stripe.checkout.sessions.create(pageOf(order, request), {
          idempotencyKey: request.key,
        })
        if (!session.url) throw new Error('The payment service returned no payment page.')
        return { session: session.id, url: session.url }
      }),
    look: (session) =>
      reach(async (stripe) => stateOf(await stripe.checkout.sessions.retrieve(session))),
    close: (session) => reach(async (stripe) => stateOf(await close(stripe, session))),
    refund: (paymentIntent, cents, idempotencyKey, asked) =>
      reach(async (stripe) => {
        await stripe.refunds.create(
          {
            payment_intent: paymentIntent,
            amount: cents,
            metadata: 'order' in asked ? asked : { payout: String(asked.payout) },
          },
          { idempotencyKey },
        )
      }),
    refundsOf: (paymentIntent) =>
      reach(async (stripe) => {
        const { data } = await stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 })
        return data
          .filter(({ status }) => !isFailed(status))
          .map(({ amount, metadata }) => ({
            amount,
            payout: payoutIn(metadata),
            isWhole: metadata?.order !== undefined,
          }))
      }),
    charge: (paymentIntent) =>
      reach(async (stripe) => {
        const { latest_charge: charge } = await stripe.paymentIntents.retrieve(paymentIntent, {
          expand: ['latest_charge.balance_transaction'],
        })
        if (typeof charge !== 'object' || charge === null) return { fee: null, refunded: 0 }
        const { balance_transaction: booked, amount_refunded: refunded } = charge
        const isKnown = typeof booked === 'object' && booked?.currency === 'eur'
        return { fee: isKnown ? booked.fee : null, refunded }
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
  order: Pick<Order, 'number' | 'email'>,
  { amount, name, success, cancel }: PageRequest,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  client_reference_id: order.number,
  customer_email: order.email,
  success_url: success,
  cancel_url: cancel,
  metadata: { order: order.number },
  // A setting of the account that may be on; what comes in another currency pays no order here.
  adaptive_pricing: { enabled: false },
  // One line with the total: prices, shipping and VAT are worked out here alone.
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: amount,
        product_data: { name },
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
  charge:
    type === 'charge.refunded'
      ? refundOf(data.object)
      : type.startsWith('charge.dispute.')
        ? disputeOf(type, data.object as Stripe.Dispute)
        : null,
  failedRefund: refundEvents.has(type) ? failedRefundOf(data.object as Stripe.Refund) : null,
})

/** What tells of a refund's end, by the versions of Stripe's interface. */
const refundEvents: ReadonlySet<string> = new Set([
  'refund.failed',
  'refund.updated',
  'charge.refund.updated',
])

function failedRefundOf({
  id,
  amount,
  status,
  payment_intent: intent,
  failure_reason: reason,
  metadata,
}: Stripe.Refund): FailedRefund | null {
  const paymentIntent = intentOf(intent)
  if (paymentIntent === null || !isFailed(status)) return null
  return {
    refund: id,
    paymentIntent,
    amount,
    reason: reason ?? status!,
    payout: payoutIn(metadata),
  }
}

const isFailed = (status: string | null): boolean => ['failed', 'canceled'].includes(status ?? '')

/** The payout that asked for a refund, by what was sent along with it. */
function payoutIn(metadata: Stripe.Metadata | null): number | null {
  const payout = /^[1-9]\d{0,8}$/.exec(metadata?.payout ?? '')
  return payout ? Number(payout[0]) : null
}

const intentOf = (intent: string | { id: string } | null): string | null =>
  typeof intent === 'string' ? intent : (intent?.id ?? null)

function refundOf(charge: Stripe.Charge): ChargeState | null {
  const paymentIntent = intentOf(charge.payment_intent)
  if (paymentIntent === null) return null
  return { paymentIntent, refunded: charge.amount_refunded, dispute: null, moved: null }
}

function disputeOf(type: string, dispute: Stripe.Dispute): ChargeState | null {
  const paymentIntent = intentOf(dispute.payment_intent)
  const stage = stageOf(type, dispute)
  if (paymentIntent === null || stage === null) return null
  const { id, amount, evidence_details: details } = dispute
  // Left out where a bank gives none, whatever the types of the package say.
  const reason: string | undefined | null = dispute.reason
  const answered: { due_by: number | null } | undefined = details
  const sign = type.endsWith('.funds_withdrawn')
    ? -1
    : type.endsWith('.funds_reinstated')
      ? 1
      : null
  return {
    paymentIntent,
    refunded: null,
    // It is 0 where the bank takes no answer.
    dispute: {
      id,
      amount,
      reason: reason || null,
      answerBy: answered?.due_by ? answered.due_by * 1000 : null,
      stage,
    },
    moved: sign === null ? null : movedOf(dispute, sign),
  }
}

/** What an event makes of a dispute; null for one that is no news, such as evidence that was sent. */
function stageOf(
  type: string,
  { status }: Pick<Stripe.Dispute, 'status'>,
): Dispute['stage'] | null {
  const isInquiry = status?.startsWith('warning_')
  switch (type) {
    case 'charge.dispute.created':
      return isInquiry ? 'inquiry' : 'dispute'
    // An inquiry takes no money, so it has become a dispute.
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return 'dispute'
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return stagesLater[status] ?? null
    default:
      return null
  }
}

/** What a later status makes of it. */
const stagesLater: Partial<Record<string, Dispute['stage']>> = {
  warning_needs_response: 'inquiry',
  warning_closed: 'inquiry closed',
  needs_response: 'continued',
  under_review: 'continued',
  won: 'won',
  lost: 'lost',
}

function movedOf(
  { amount, balance_transactions: booked }: Stripe.Dispute,
  sign: 1 | -1,
): ChargeState['moved'] {
  // What gives the money back lists what took it as well.
  const own = booked?.filter((each) => each.currency === 'eur' && Math.sign(each.amount) === sign)
  const fee = own && own.length > 0 ? sum(own.map((each) => each.fee)) : null
  return { amount: sign * amount, fee }
}

const ended = ['complete', 'expired'] as const

const stateOf = (session: Stripe.Checkout.Session): SessionState => ({
  session: session.id,
  order: session.client_reference_id,
  paymentIntent: intentOf(session.payment_intent),
  paid: session.payment_status === 'paid',
  status: ended.find((status) => status === session.status) ?? 'open',
  url: session.url,
  amount: session.amount_total,
  currency: session.currency,
})
