import { dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { euros, sum } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import type { Platform } from '../../feature.ts'
import type { Order } from '../order.ts'
import { newSecret } from '../../secrets/ids.ts'
import {
  payoutBatches,
  payouts,
  type Payout,
  type PayoutBatch,
  type PayoutPart,
} from '../schema.ts'
import type { OrderStore } from '../store.ts'
import type { ShopFeature } from '../../shop/feature.ts'
import type { FailedRefund, MadeRefund, StripePayments } from './stripe.ts'

/** The job that refunds through the payment service. */
export const payOutKind = 'orders.pay-out'

/** A refund: cents, reason, and whether the payment service has already made it. */
type NewPayout = {
  amount: number
  credit: number | null
  reason: string
  isSent?: boolean
  /** The card payment to refund; by default the newest. */
  paymentIntent?: string
  /** The failed card refund that this bank payout replaces. */
  replaces?: number
}

/** Payouts; the only place with their SQL. */
export type Payouts = ReturnType<typeof createPayouts>

/** Where a payout goes. */
export type PayoutAccount = { readonly iban: string; readonly name: string }

/** Prepares the statements of payouts to buyers. */
export function createPayouts(
  db: Database,
  {
    clock,
    jobs,
    timeline,
    orders,
    giftCards,
  }: Pick<Platform, 'clock' | 'jobs' | 'timeline'> & {
    orders: OrderStore
    giftCards: Pick<ShopFeature['giftCards'], 'giveBack'>
  },
) {
  const insert = payouts.insert(db)
  const byId = payouts.select(db, 'WHERE id = :id')
  const ofOrder = payouts.select(db, 'WHERE "order" = :order ORDER BY id')
  const open = payouts.select(db, 'WHERE sent_at IS NULL ORDER BY id')
  const all = payouts.select(db, 'ORDER BY id')
  const insertBatch = payoutBatches.insert(db)
  const batchById = payoutBatches.select(db, 'WHERE id = :id')
  const ofBatch = payouts.select(db, 'WHERE batch = :batch ORDER BY id')
  const setBatch = payouts.update(db, ['batch'], 'WHERE id = :id AND batch IS NULL')
  const setAccount = payouts.update(
    db,
    ['iban', 'recipient'],
    'WHERE id = :id AND batch IS NULL AND sent_at IS NULL',
  )
  const sent = payouts.update(db, ['sentAt'], 'WHERE id = :id AND sent_at IS NULL')
  const setFailed = payouts.update(db, ['failed', 'parts'], 'WHERE id = :id')

  /** Where a payout goes: what staff have entered, else the account that the order was paid from. */
  const accountOf = ({ order, iban, recipient }: Payout): PayoutAccount | null => {
    const paid = orders.standingPayments(order).findLast(({ account }) => account !== null)
    const known = iban ?? paid?.account ?? null
    if (known === null) return null
    const { company = null, name = '' } = orders.findId(order) ?? {}
    return { iban: known, name: recipient ?? (paid?.payer || (company ?? name)) }
  }

  /** The refundable rest of each card payment, newest first. */
  const cardRests = (order: Order): PayoutPart[] => {
    const rests = new Map<string, number>()
    const add = ({ paymentIntent, amount }: PayoutPart) =>
      void rests.set(paymentIntent, (rests.get(paymentIntent) ?? 0) + amount)
    for (const { paymentIntent, amount } of orders.paymentsOf(order.id)) {
      if (paymentIntent !== null) add({ paymentIntent, amount })
    }
    for (const { parts } of ofOrder.all({ order: order.id })) {
      for (const { paymentIntent, amount } of parts ?? []) add({ paymentIntent, amount: -amount })
    }
    return [...rests]
      .map(([paymentIntent, amount]) => ({ paymentIntent, amount }))
      .filter(({ amount }) => amount > 0)
      .toReversed()
  }

  /**
   * From which payments an amount comes that stays with us: what can't go back to a card first, then the
   * oldest payments by card, since the newest ones go back first.
   * @returns its parts, which add up to the amount; null for what came by another way
   */
  const keptOf = (
    order: Order,
    amount: number,
  ): { paymentIntent: string | null; amount: number }[] => {
    const rests = cardRests(order).toReversed()
    const other = Math.max(0, orders.paid(order.id) - sum(rests.map((rest) => rest.amount)))
    const parts: { paymentIntent: string | null; amount: number }[] = []
    let left = amount
    for (const rest of [{ paymentIntent: null, amount: other }, ...rests]) {
      const part = Math.min(left, rest.amount)
      if (part > 0) parts.push({ ...rest, amount: part })
      left -= part
    }
    return left > 0 ? [...parts, { paymentIntent: null, amount: left }] : parts
  }

  /**
   * Cents that were refunded and that no payout stands for, so they must not go out once more: someone in the
   * dashboard of the payment service was faster than a payout that waits, or the payout of theirs was made
   * after the backup that is restored.
   */
  const unaskedOf = (paymentIntent: string, made: readonly MadeRefund[]): number => {
    const every = orders
      .ofPaymentIntent(paymentIntent)
      .flatMap(({ id }) => ofOrder.all({ order: id }))
    const known = new Set(every.map(({ id }) => id))
    const went = every.filter(({ sentAt }) => sentAt !== null)
    const parts = went
      .flatMap((payout) => payout.parts ?? [])
      .filter((part) => part.paymentIntent === paymentIntent)
    const ids = new Set(went.map(({ id }) => id))
    const asked = made.filter(({ payout }) => payout !== null && ids.has(payout))
    const byHand = made.filter(
      ({ payout, isWhole }) => !isWhole && (payout === null || !known.has(payout)),
    )
    const cents = (some: readonly { amount: number }[]) => sum(some.map(({ amount }) => amount))
    return Math.max(0, cents(byHand) - Math.max(0, cents(parts) - cents(asked)))
  }

  /** Cents of an order refundable through the payment service. */
  const cardMoney = (order: Order): number => sum(cardRests(order).map(({ amount }) => amount))

  /** From which payments by card an amount is taken back. */
  const partsOf = (order: Order, { amount, paymentIntent }: NewPayout): PayoutPart[] => {
    if (paymentIntent !== undefined) return [{ paymentIntent, amount }]
    const parts: PayoutPart[] = []
    let left = amount
    for (const rest of cardRests(order)) {
      const part = Math.min(left, rest.amount)
      if (part > 0) parts.push({ ...rest, amount: part })
      left -= part
    }
    // More than we know of: the payment service decides.
    if (left > 0) parts.push({ paymentIntent: order.paymentIntent!, amount: left })
    return parts
  }

  /**
   * How an amount is refunded: shop orders the way they were paid, invoices the way that's possible.
   */
  const wayOf = (order: Order, amount: number): Payout['method'] => {
    const isByCard =
      order.payment === 'stripe' ? order.paymentIntent !== null : cardMoney(order) >= amount
    return isByCard ? 'stripe' : 'bank'
  }

  /**
   * Puts money on its way back: at once by the payment service, otherwise on the list that staff pay
   * at the bank. It counts as paid back from now on. Call it inside a transaction.
   */
  const make = (tx: Transaction, order: Order, payout: NewPayout): Payout => {
    const { amount, isSent = false, paymentIntent, replaces = null } = payout
    const usual = paymentIntent === undefined ? wayOf(order, amount) : 'stripe'
    const method = replaces === null ? usual : 'bank'
    const parts = method === 'stripe' ? partsOf(order, payout) : null
    const id = enter(tx, order, payout, { method, parts })
    if (isSent) sent(tx, { sentAt: clock() }, { id })
    else if (method === 'stripe') jobs.schedule(tx, payOutKind, String(id), clock())
    return byId.get({ id })!
  }

  /** Records a payout and its method; from then on it counts as refunded. */
  const enter = (
    tx: Transaction,
    order: Order,
    { amount, credit, reason, replaces }: NewPayout,
    way: Pick<Payout, 'method' | 'parts'>,
  ): number => {
    const madeAt = clock()
    const row = { order: order.id, amount, credit, reason, ...way, madeAt }
    const { id } = insert(tx, { ...row, replaces: replaces ?? null })!
    orders.pay(tx, {
      order: order.id,
      source: 'refund',
      externalId: String(id),
      payer: null,
      amount: -amount,
      paidOn: dateAt(madeAt),
    })
    return id
  }

  /**
   * By which ways an amount of an order goes back, in their order: two where a part of it was paid by card
   * and a part by bank transfer. What came as money goes back as money first; a gift card gets back the
   * rest, never more than it paid.
   */
  const waysBack = (order: Order, amount: number): Pick<Payout, 'method' | 'amount'>[] => {
    const onCard = Math.min(
      orders.paidByGiftCard(order.id),
      Math.max(0, amount - Math.max(0, orders.paidInMoney(order.id))),
    )
    const money = amount - onCard
    const byCard = order.payment === 'stripe' ? 0 : cardMoney(order)
    const ways: Pick<Payout, 'method' | 'amount'>[] =
      byCard > 0 && byCard < money
        ? [
            { method: 'stripe', amount: byCard },
            { method: 'bank', amount: money - byCard },
          ]
        : [{ method: wayOf(order, money), amount: money }]
    return [...ways, { method: 'gift-card' as const, amount: onCard }].filter(
      (way) => way.amount > 0,
    )
  }

  /** Returns to an order's gift card what isn't refunded in money. */
  const putOnCard = (tx: Transaction, order: Order, payout: NewPayout): Payout => {
    const { amount } = payout
    giftCards.giveBack(tx, order.id, amount)
    const id = enter(tx, order, payout, { method: 'gift-card', parts: null })
    sent(tx, { sentAt: clock() }, { id })
    timeline.record(tx, {
      thing: 'order',
      thingId: order.number,
      actor: 'system',
      act: 'refunded',
      note: `${euros(amount)}, onto gift card ${order.giftCard}`,
    })
    return byId.get({ id })!
  }

  return {
    make,
    keptOf,
    cardRests,
    accountOf,
    waysBack,
    find: (id: number): Payout | null => byId.get({ id }),
    ofOrder: (order: number): Payout[] => ofOrder.all({ order }),
    /** Open payouts, oldest first. */
    open: (): Payout[] => open.all(),
    all: (): Payout[] => all.all(),

    /**
     * Puts money on its way back as {@link make} does, by each of its {@link waysBack}. Call it inside a
     * transaction.
     */
    refund: (tx: Transaction, order: Order, payout: NewPayout): Payout[] =>
      waysBack(order, payout.amount).map(({ method, amount }) =>
        method === 'gift-card'
          ? putOnCard(tx, order, { ...payout, amount })
          : make(tx, order, { ...payout, amount }),
      ),

    /**
     * Which of the orders that hold a part of a payment asked for a refund of it: the one that was told of
     * it before, else the one of the payout that is named, else the one with a payout of that amount.
     */
    refunderOf(
      holders: readonly Order[],
      { refund, paymentIntent, amount, payout: named }: FailedRefund,
    ): Order | undefined {
      const has = (order: Order, test: (payout: Payout) => boolean) =>
        ofOrder.all({ order: order.id }).some(test)
      const asks = ({ parts }: Payout) =>
        (parts ?? []).some((part) => part.paymentIntent === paymentIntent && part.amount >= amount)
      const isTold = ({ id }: Order) =>
        orders.paymentsOf(id).some(({ externalId }) => externalId === `${refund} failed`)
      return (
        holders.find(isTold) ??
        holders.find((order) => has(order, ({ id }) => id === named)) ??
        holders.find((order) => has(order, asks))
      )
    },

    /**
     * Takes word of a refund that came back to the payment service: the money counts as not paid back,
     * and a payout of its own pays it at the bank. Call it inside a transaction.
     * @returns that payout; `repeat` for a refund that was told before; null where no payout asked for it
     */
    fail(
      tx: Transaction,
      order: Order,
      { refund, paymentIntent, amount, payout: named }: FailedRefund,
    ): Payout | 'repeat' | null {
      const has = ({ parts }: Payout, test: (part: PayoutPart) => boolean) =>
        (parts ?? []).some((part) => part.paymentIntent === paymentIntent && test(part))
      const theirs = ofOrder.all({ order: order.id })
      const failed =
        theirs.find((each) => each.id === named && has(each, (part) => part.amount >= amount)) ??
        theirs.findLast((each) => has(each, (part) => part.amount === amount)) ??
        theirs.findLast((each) => has(each, (part) => part.amount > amount))
      const now = clock()
      const isTold = orders
        .paymentsOf(order.id)
        .some(({ source, externalId }) => source === 'refund' && externalId === `${refund} failed`)
      if (isTold) return 'repeat'
      if (!failed?.parts) return null
      orders.pay(tx, {
        order: order.id,
        source: 'refund',
        externalId: `${refund} failed`,
        payer: null,
        amount,
        paidOn: dateAt(now),
      })
      const at = failed.parts.findIndex(
        (part) => part.paymentIntent === paymentIntent && part.amount >= amount,
      )
      const parts = failed.parts.map((part, index) =>
        index === at ? { ...part, amount: part.amount - amount } : part,
      )
      setFailed(tx, { failed: failed.failed + amount, parts }, { id: failed.id })
      if (failed.failed + amount === failed.amount) sent(tx, { sentAt: now }, { id: failed.id })
      return make(tx, order, {
        amount,
        credit: failed.credit,
        reason: failed.reason,
        replaces: failed.id,
      })
    },

    /**
     * Marks payouts as paid at the bank.
     * @throws missing for a number that is none; wrong-state for one that has gone before, or goes by
     *   itself
     */
    paidAtBank(tx: Transaction, id: number, actor: string): Payout {
      const payout = byId.get({ id })
      const order = payout && orders.findId(payout.order)
      if (!payout || !order) throw failure('missing', { message: `Payout not found: ${id}.` })
      if (payout.method === 'stripe') {
        throw failure('wrong-state', {
          message: `Payout ${id} is refunded through Stripe automatically.`,
        })
      }
      if (sent(tx, { sentAt: clock() }, { id }) === 0) {
        throw failure('wrong-state', { message: `Payout ${id} is already paid.` })
      }
      timeline.record(tx, {
        thing: 'order',
        thingId: order.number,
        actor,
        act: 'refunded',
        note: `${euros(payout.amount)}, by bank`,
      })
      return payout
    },

    /**
     * Enters the account that a payout goes to. Call inside a transaction.
     * @throws missing for a number that is none; wrong-state for one that has gone, or is in a file already
     */
    toAccount(tx: Transaction, id: number, { iban, name }: { iban: string; name: string | null }) {
      const payout = byId.get({ id })
      if (!payout) throw failure('missing', { message: `Payout not found: ${id}.` })
      if (setAccount(tx, { iban, recipient: name }, { id }) === 0) {
        throw failure('wrong-state', {
          message: `Payout ${id} has gone, or is in a file for the bank.`,
        })
      }
      return byId.get({ id })!
    },

    /**
     * Puts what is to be paid at the bank, and has an account, into a file of its own; nothing is ever in
     * two of them. Call inside a transaction.
     * @throws wrong-state when there is nothing to put in
     */
    batch(
      tx: Transaction,
      { executeOn, actor }: { executeOn: string; actor: string },
    ): { batch: PayoutBatch; without: Payout[] } {
      const waiting = open.all().filter(({ method, batch }) => method === 'bank' && batch === null)
      const without = waiting.filter((payout) => accountOf(payout) === null)
      const ready = waiting.filter((payout) => accountOf(payout) !== null)
      if (ready.length === 0) {
        throw failure('wrong-state', {
          message:
            without.length > 0
              ? `No account for ${without.map(({ id }) => `payout ${id}`).join(', ')}: enter it with payouts account.`
              : 'Nothing to pay at the bank.',
        })
      }
      const now = clock()
      const message = `PAYOUT-${executeOn.replaceAll('-', '')}-${newSecret()
        .slice(0, 12)
        .replaceAll(/[^A-Za-z0-9]/g, '0')}`
      const batch = insertBatch(tx, { message, executeOn, actor, madeAt: now })!
      for (const { id } of ready) setBatch(tx, { batch: batch.id }, { id })
      return { batch, without }
    },
    findBatch: (id: number): PayoutBatch | null => batchById.get({ id }),
    ofBatch: (batch: number): Payout[] => ofBatch.all({ batch }),

    /** Sends one by the payment service; the same one again changes nothing. @throws payment-down */
    async send(id: number, stripe: StripePayments | null): Promise<void> {
      const payout = byId.get({ id })
      const order = payout && orders.findId(payout.order)
      if (!payout || payout.sentAt !== null || payout.method !== 'stripe') return
      if (!stripe || !order || payout.parts === null) throw failure('payment-down')
      let byHand = 0
      for (const [at, { paymentIntent, amount }] of payout.parts.entries()) {
        // What has failed meanwhile is paid at the bank.
        if (amount === 0) continue
        const made = await stripe.refundsOf(paymentIntent)
        // Less than its amount: another payout had its number before an older backup was restored.
        const own = sum(made.filter(({ payout: of }) => of === id).map((refund) => refund.amount))
        if (own >= amount) continue
        const covered = Math.min(amount - own, unaskedOf(paymentIntent, made))
        byHand += covered
        const rest = amount - own - covered
        if (rest === 0) continue
        const key = `payout-${order.number}-${id}${at === 0 ? '' : `-${at + 1}`}`
        // Stripe keeps a key for its amount.
        const keyOfRest = rest === amount ? key : `${key}-rest`
        await stripe.refund(paymentIntent, rest, keyOfRest, { payout: id })
      }
      await db.commit((tx) => {
        sent(tx, { sentAt: clock() }, { id })
        timeline.record(tx, {
          thing: 'order',
          thingId: order.number,
          actor: 'stripe',
          act: 'refunded',
          note:
            byHand === 0
              ? euros(payout.amount)
              : `${euros(payout.amount)}, ${byHand === payout.amount ? '' : `${euros(byHand)} of it `}in Stripe’s dashboard`,
        })
      })
    },
  }
}
