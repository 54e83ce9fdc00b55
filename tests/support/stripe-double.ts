import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A session as the double keeps it, in the shape of Stripe's. */
export type DoubleSession = {
  id: string
  object: 'checkout.session'
  url: string
  payment_intent: string | null
  payment_status: 'paid' | 'unpaid'
  status: 'open' | 'complete' | 'expired'
  amount_total: number
  currency: string
  /** What its page says is paid. */
  name: string
  client_reference_id: string
  success_url: string
  cancel_url: string
}

/** A server that speaks as much of Stripe as the site uses, and signs like Stripe. */
export type StripeDouble = AsyncDisposable & {
  readonly env: Record<string, string>
  readonly sessions: Map<string, DoubleSession>
  readonly refunds: { payment_intent: string; amount: number; key: string }[]
  /** Requests so far, such as `POST /v1/refunds`. */
  readonly requests: string[]
  /** Whether it answers at all. */
  down: boolean
  /** Whether its answers get lost: what it's asked for, it does. */
  losingAnswers: boolean
  /** A day later, it knows no key of earlier calls. */
  forgetKeys(): void
  /** Whether it has booked what it keeps of payments. */
  feesBooked: boolean
  /** Opens payment pages no sooner than this. */
  opening: Promise<void>
  /** Tells of a session no sooner than this. */
  looking: Promise<void>
  /**
   * Staff refund a part of a payment in the dashboard.
   * @param payout the number of the payout that asked for it, where the site did and has forgotten it
   */
  refundByHand(session: DoubleSession, amount: number, payout?: number): void
  /** The buyer pays. */
  pay(session: DoubleSession): DoubleSession
  /** An event as Stripe sends it: its body and its signature. @param at seconds of the epoch */
  event(
    session: DoubleSession | Record<string, unknown>,
    options?: { id?: string; type?: string; at?: number; secret?: string },
  ): { body: string; signature: string }
}

const secret = 'whsec_double'

/** What Stripe keeps of a payment: 1.5 % and 25 cents. */
export const stripeFee = (cents: number): number => Math.round(cents * 0.015) + 25

const chargeOf = (
  { payment_intent: id, amount_total: amount }: DoubleSession,
  isBooked: boolean,
  refunded: number,
) => ({
  id,
  object: 'payment_intent',
  latest_charge: {
    object: 'charge',
    amount,
    amount_refunded: refunded,
    balance_transaction: isBooked
      ? { object: 'balance_transaction', currency: 'eur', fee: stripeFee(amount) }
      : null,
  },
})

/** Starts the double on loopback. */
export async function startStripe(): Promise<StripeDouble> {
  const sessions = new Map<string, DoubleSession>()
  const byKey = new Map<string, unknown>()
  const refunds: StripeDouble['refunds'] = []
  const doneRefund = { object: 'refund', status: 'succeeded', metadata: {} }
  const made: { id: string; payment_intent: string; amount: number; metadata: object }[] = []
  const requests: string[] = []
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = (path: string, form: URLSearchParams, key: string): unknown => {
    if (path === '/v1/checkout/sessions') {
      const id = `cs_test_${randomBytes(12).toString('hex')}`
      const session: DoubleSession = {
        id,
        object: 'checkout.session',
        url: `${origin()}/c/pay/${id}`,
        payment_intent: null,
        payment_status: 'unpaid',
        status: 'open',
        amount_total:
          Number(form.get('line_items[0][price_data][unit_amount]')) *
          Number(form.get('line_items[0][quantity]')),
        // This account offers buyers their own currency unless it is told not to.
        currency:
          form.get('adaptive_pricing[enabled]') === 'false'
            ? form.get('line_items[0][price_data][currency]')!
            : 'sek',
        name: form.get('line_items[0][price_data][product_data][name]')!,
        client_reference_id: form.get('client_reference_id')!,
        success_url: form.get('success_url')!,
        cancel_url: form.get('cancel_url')!,
      }
      sessions.set(id, session)
      return session
    }
    const closed = sessions.get(/^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1] ?? '')
    if (closed) {
      // Only an open session can be closed, as at Stripe.
      if (closed.status !== 'open') return null
      closed.status = 'expired'
      return closed
    }
    if (path === '/v1/refunds') {
      const refund = {
        payment_intent: form.get('payment_intent')!,
        amount: Number(form.get('amount')),
        key,
        metadata: {
          payout: form.get('metadata[payout]') ?? undefined,
          order: form.get('metadata[order]') ?? undefined,
        },
      }
      const paid = [...sessions.values()].find(
        (session) => session.payment_intent === refund.payment_intent,
      )
      const given = made.filter(({ payment_intent: of }) => of === refund.payment_intent)
      const left = (paid?.amount_total ?? 0) - given.reduce((sum, { amount }) => sum + amount, 0)
      // A cent at least, and no more than is left of the payment, as at Stripe.
      if (!(refund.amount >= 1 && refund.amount <= left)) return null
      const { metadata: _, ...asked } = refund
      refunds.push(asked)
      const done = { ...doneRefund, id: `re_${refunds.length}`, ...refund }
      made.push(done)
      return done
    }
    return null
  }
  const server = createServer(async (request, response) => {
    const path = request.url!.split('?')[0]!
    requests.push(`${request.method} ${path}`)
    if (double.down) {
      request.socket.destroy()
      return
    }
    const form = new URLSearchParams(await text(request))
    const visited = sessions.get(path.replace('/c/pay/', ''))
    if (visited) {
      if (request.method === 'POST') {
        response.writeHead(303, { Location: double.pay(visited).success_url }).end()
      } else {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        response.end(paymentPage(visited))
      }
      return
    }
    if (request.method === 'POST' && path === '/v1/checkout/sessions') await double.opening
    if (request.method === 'GET') await double.looking
    const key = String(request.headers['idempotency-key'] ?? '')
    let reply: unknown = null
    if (request.method === 'GET') {
      const intent = path.replace('/v1/payment_intents/', '')
      const paid = [...sessions.values()].find((each) => each.payment_intent === intent)
      const refunded = made
        .filter((refund) => refund.payment_intent === intent)
        .reduce((sum, { amount }) => sum + amount, 0)
      const charged = paid && chargeOf(paid, double.feesBooked, refunded)
      reply = sessions.get(path.replace('/v1/checkout/sessions/', '')) ?? charged
      if (path === '/v1/refunds') {
        const of = new URL(request.url!, origin()).searchParams.get('payment_intent')
        const data = made.filter((refund) => refund.payment_intent === of).toReversed()
        reply = { object: 'list', data, has_more: false, url: path }
      }
      reply ??= null
    } else {
      // The same key is the same call, as at Stripe.
      reply = byKey.get(key) ?? answer(path, form, key)
      if (key && reply) byKey.set(key, reply)
    }
    if (double.losingAnswers) {
      request.socket.destroy()
      return
    }
    response
      .writeHead(reply === null ? 404 : 200, { 'Content-Type': 'application/json' })
      .end(
        JSON.stringify(reply ?? { error: { type: 'invalid_request_error', message: 'No such' } }),
      )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  let events = 0

  const double: StripeDouble = {
    env: {
      STRIPE_SECRET_KEY: 'sk_test_double',
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_BASE: origin(),
    },
    sessions,
    refunds,
    requests,
    down: false,
    losingAnswers: false,
    forgetKeys: () => byKey.clear(),
    feesBooked: true,
    opening: Promise.resolve(),
    looking: Promise.resolve(),
    refundByHand({ payment_intent: intent }, amount, payout) {
      const metadata = payout === undefined ? {} : { payout: String(payout) }
      const id = `re_hand_${made.length}`
      made.push({ ...doneRefund, id, payment_intent: intent!, amount, metadata })
    },
    pay(session) {
      session.payment_status = 'paid'
      session.status = 'complete'
      session.payment_intent = `pi_${session.id}`
      return session
    },
    event(session, options = {}) {
      const {
        id = `evt_${(events += 1)}`,
        type = 'checkout.session.completed',
        at = Math.floor(Date.now() / 1000),
        secret: signedWith = secret,
      } = options
      const body = JSON.stringify({ id, object: 'event', type, data: { object: session } })
      const v1 = createHmac('sha256', signedWith).update(`${at}.${body}`).digest('hex')
      return { body, signature: `t=${at},v1=${v1}` }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

/** The page on which a buyer pays. */
const paymentPage = ({ amount_total: cents, cancel_url: cancel }: DoubleSession) =>
  `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">
<h1>Pay ${(cents / 100).toFixed(2)} EUR</h1>
<form method="post"><button>Pay</button></form><a href="${cancel}">Back to the shop</a></html>`
