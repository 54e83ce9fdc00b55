import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import { sum } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { transferEnd } from '../checkout/transfer-end.ts'
import { restOf, withDiscounts, type LineRest } from '../documents/credit-note.ts'
import type { CreditWithin } from '../payment/credit-actions.ts'
import { endOrder, expireKind } from '../payment/end-order.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'
import type { Invoice, Payout, Withdrawal } from '../schema.ts'
import { endShipping } from '../shipping/end-shipping.ts'
import type { WithdrawalCase, WithdrawalCases } from './withdrawal-cases.ts'

/** The job that reminds staff of withdrawals. */
export const withdrawalsKind = 'orders.withdrawals'

/** Days before its last day on which staff are reminded of a withdrawal. */
const remindDays = 3

/**
 * Creates the staff's acts on withdrawals. What was paid goes back within 14 days of the statement; of
 * goods that were sent it may wait until they are back, or until the customer shows that they are on
 * their way (Consumer Protection Act 6:17).
 */
export function withdrawalDesk(
  platform: Platform,
  deps: OrderDeps,
  { creditWithin, cases }: { creditWithin: CreditWithin; cases: WithdrawalCases },
) {
  const { commit, clock, jobs, log, mails, outbox, shares, timeline } = platform
  const { shop, orders, invoices, withdrawals } = deps

  const { caseOf } = cases

  /** @throws missing */
  const known = (id: number): Withdrawal => cases.find(id).withdrawal

  /** Changes a withdrawal and writes it into the timeline of its order. @throws changed, wrong-state */
  const change = (
    tx: Transaction,
    was: Withdrawal,
    to: Parameters<typeof withdrawals.change>[2],
    { actor, act, note = null }: { actor: string; act: string; note?: string | null },
  ): Withdrawal => {
    const after = withdrawals.change(tx, was, to)
    if (!after) throw failure('changed', { message: 'Someone else has just dealt with it.' })
    const order = was.order === null ? null : orders.findId(was.order)
    const { booking } = caseOf(after)
    if (order) timeline.record(tx, { thing: 'order', thingId: order.number, actor, act, note })
    if (booking !== null)
      timeline.record(tx, { thing: 'booking', thingId: booking, actor, act, note })
    return after
  }

  /**
   * Gives an unpaid order time to pay what is left of it: its buyer was asked to wait for the credit note,
   * and its last day may have passed.
   */
  const allowTime = (tx: Transaction, id: number): void => {
    const order = orders.findId(id)!
    if (order.state !== 'open' || order.reservedUntil === null || withdrawals.isOpen(id)) return
    const later = transferEnd(clock(), shares.settings().orders.transferDays)
    const reservedUntil = Math.max(order.reservedUntil, later)
    orders.change(tx, order, { reservedUntil })
    jobs.schedule(tx, expireKind, order.number, reservedUntil)
  }

  const assertOpen = ({ id, state }: Withdrawal) => {
    if (state === 'settled' || state === 'closed') {
      throw failure('wrong-state', { message: `Withdrawal ${id} is ${state} already.` })
    }
  }

  /** What is left of each line of an invoice. */
  const restNow = (order: Order, invoice: Invoice): LineRest[] => {
    const credits = invoices.ofOrder(order.id).filter(({ kind }) => kind === 'credit')
    return restOf(
      invoice.document,
      credits.map(({ document }) => document),
    )
  }

  /**
   * Puts pieces back on the shelf: those that never left, and those that came back where asked.
   * @param rest before the credit note: what staff credited since the withdrawal, they put back or kept then
   */
  const putBack = (
    tx: Transaction,
    order: Order,
    lines: WithdrawalCase['lines'],
    { rest, all }: { rest: readonly LineRest[]; all: boolean },
  ) => {
    for (const { at, quantity, sent } of lines) {
      const variant = order.lines[at]?.variantId ?? null
      const left = Math.min(quantity, rest[at]?.pieces ?? 0)
      const pieces = all ? left : left - sent
      if (variant !== null && pieces > 0) shop.catalogue.restock(tx, variant, pieces)
    }
  }

  /**
   * What of the invoice is credited: the pieces that are left of the lines, and the shipping once no
   * goods of the order are kept.
   */
  const creditLinesOf = (
    order: Order,
    lines: WithdrawalCase['lines'],
    rest: readonly LineRest[],
  ) => {
    const wanted = lines.flatMap(({ at, quantity }) => {
      // A discount that is a line of its own goes with what it was taken off.
      const pieces = Math.min(quantity, rest[at]?.pieces ?? 0)
      return pieces > 0 && (rest[at]?.left ?? 0) !== 0 ? [{ line: at, quantity: pieces }] : []
    })
    const gone = invoices.creditedPieces(order.id)
    // What cost nothing is on no credit note, and goes back all the same.
    const kept = sum(
      order.lines.map(({ kind, quantity }, place) => {
        const named = lines.find(({ at }) => at === place)?.quantity ?? 0
        return kind === 'physical' ? Math.max(0, quantity - (gone[place] ?? 0) - named) : 0
      }),
    )
    const hasGoods = lines.some(({ at }) => order.lines[at]?.kind === 'physical')
    const shipping =
      kept === 0 && hasGoods
        ? rest.flatMap(({ left }, at) =>
            at >= order.lines.length && left > 0 ? [{ line: at }] : [],
          )
        : []
    return [...wanted, ...shipping]
  }

  /** The latest credit note that took something off some lines; null for none. */
  const creditedBefore = ({ id }: Order, lines: WithdrawalCase['lines']): number | null =>
    invoices
      .ofOrder(id)
      .filter(
        ({ kind, document }) =>
          kind === 'credit' &&
          document.lines.some(({ line }) => lines.some(({ at }) => at === line)),
      )
      .at(-1)?.number ?? null

  return {
    /** A withdrawal as staff see it. @throws missing */
    case: cases.find,

    /** Withdrawals that are not over, the oldest first; all of them where asked. */
    cases: ({ all = false }: { all?: boolean } = {}): WithdrawalCase[] =>
      withdrawals
        .list()
        .map(({ id }) => caseOf(known(id)))
        .filter(({ isOver }) => all || !isOver),

    /** Withdrawals from an order, the oldest first. */
    ofOrder: ({ id }: Order): WithdrawalCase[] => withdrawals.ofOrder(id).map(caseOf),

    /** Withdrawals from a booking of an address, by its reference or one of its invoices, the oldest first. */
    ofBooking: (reference: string, email: string): WithdrawalCase[] =>
      [
        ...withdrawals.same(reference, email, -1).filter(({ order }) => order === null),
        ...orders.ofBooking(reference).flatMap(({ id }) => withdrawals.ofOrder(id)),
      ]
        .map(caseOf)
        .toSorted((a, b) => a.withdrawal.receivedAt - b.withdrawal.receivedAt),

    /** Withdrawals that an address stated, also from orders that aren't its own, the oldest first. */
    ofEmail: (email: string): WithdrawalCase[] =>
      withdrawals
        .list()
        .filter((each) => each.email.toLowerCase() === email.toLowerCase())
        .map(({ id }) => caseOf(known(id))),

    /** Notes that the goods of a withdrawal are back. @throws missing, changed, wrong-state */
    goodsBack: (id: number, actor: string): Promise<WithdrawalCase> =>
      commit((tx) => {
        const was = known(id)
        assertOpen(was)
        if (was.state !== 'awaiting') {
          throw failure('wrong-state', { message: `Withdrawal ${id} isn’t waiting for goods.` })
        }
        const to = { state: 'back' as const, backAt: clock() }
        return caseOf(change(tx, was, to, { actor, act: 'goods back' }))
      }),

    /** Notes that the customer has shown that the goods are on their way. @throws missing, changed, wrong-state */
    goodsProven: (id: number, actor: string): Promise<WithdrawalCase> =>
      commit((tx) => {
        const was = known(id)
        assertOpen(was)
        if (was.state !== 'awaiting') {
          throw failure('wrong-state', { message: `Withdrawal ${id} isn’t waiting for goods.` })
        }
        return caseOf(change(tx, was, { proofAt: clock() }, { actor, act: 'proof of sending' }))
      }),

    /**
     * Settles a withdrawal in one act: a credit note over its lines, with the shipping where nothing is
     * kept; what was paid goes back, and the customer is told. Lines without a right of withdrawal stay.
     * What an earlier credit note has taken off already is settled by that one, and what cost nothing needs
     * none: it isn't sent, or comes back.
     * @param options `restock` puts goods that came back on the shelf, `isEarly` pays before they are back
     * @throws missing; wrong-state while goods are awaited, and when nothing is left to credit
     */
    async settle(
      id: number,
      { actor, restock, isEarly }: { actor: string; restock: boolean; isEarly: boolean },
    ): Promise<WithdrawalCase & { note: Invoice | null; payouts: readonly Payout[] }> {
      const done = await commit((tx) => {
        const was = known(id)
        assertOpen(was)
        const { order, booking, lines: all } = caseOf(was)
        const lines = all.filter(({ exempt }) => exempt === null)
        if (booking !== null) {
          throw failure('wrong-state', {
            message: `Withdrawal ${id} is about booking ${booking}. Settle it there, answer it, then close it with a reason.`,
          })
        }
        if (!order) {
          throw failure('wrong-state', {
            message: `Withdrawal ${id} doesn’t name one of the sender’s orders. Answer it, then close it with a reason.`,
          })
        }
        if (was.state === 'awaiting' && was.proofAt === null && !isEarly) {
          throw failure('wrong-state', {
            message: `The goods of withdrawal ${id} aren’t back yet. Note first that they’re back or on their way, or settle it early.`,
            details: { because: 'early' },
          })
        }
        const settle = (credit: number | null) =>
          change(
            tx,
            was,
            { state: 'settled', settledAt: clock(), credit },
            { actor, act: 'withdrawal settled' },
          )
        if (['waiting', 'pending'].includes(order.state)) {
          endOrder(tx, { platform, ...deps }, order, { to: 'cancelled', actor, note: 'withdrawn' })
          return { now: settle(null), note: null, payouts: [] }
        }
        if (['cancelled', 'expired', 'refunded'].includes(order.state)) {
          return { now: settle(null), note: null, payouts: [] }
        }
        const invoice = invoices.invoiceOf(order.id)
        const rest = invoice ? restNow(order, invoice) : []
        const creditLines = creditLinesOf(order, lines, rest)
        const before = creditLines.length === 0 ? creditedBefore(order, lines) : null
        if (before !== null) {
          putBack(tx, order, lines, { rest, all: restock })
          const now = settle(before)
          endShipping(tx, deps, order.id)
          allowTime(tx, order.id)
          return { now, note: null, payouts: [] }
        }
        const isFree = lines.some(
          ({ at, quantity }) =>
            quantity > 0 && order.lines[at]?.total === 0 && (rest[at]?.pieces ?? 0) > 0,
        )
        if (invoice && creditLines.length === 0 && isFree) {
          putBack(tx, order, lines, { rest, all: restock })
          const now = settle(null)
          endShipping(tx, deps, order.id)
          allowTime(tx, order.id)
          return { now, note: null, payouts: [] }
        }
        if (!invoice || creditLines.length === 0) {
          throw failure('wrong-state', {
            message: `Nothing of withdrawal ${id} can be credited any more. Close it with a reason.`,
          })
        }
        const { credit, payouts } = creditWithin(
          tx,
          order.number,
          withDiscounts(invoice.document, rest, creditLines),
          {
            reason: `Withdrawal of ${longDate(dateAt(was.receivedAt))}`,
            restock: false,
            actor,
          },
        )
        putBack(tx, order, lines, { rest, all: restock })
        const now = settle(credit.number)
        endShipping(tx, deps, order.id)
        allowTime(tx, order.id)
        return { now, note: credit, payouts }
      })
      outbox.wake()
      log.info({ withdrawal: id, credit: done.note?.number ?? null }, 'withdrawal settled')
      return { ...caseOf(done.now), note: done.note, payouts: done.payouts }
    },

    /** Closes a withdrawal without a credit note of its own, with the reason. @throws missing, changed, wrong-state */
    close: (id: number, note: string, actor: string): Promise<WithdrawalCase> =>
      commit((tx) => {
        const was = known(id)
        assertOpen(was)
        const to = { state: 'closed' as const, settledAt: clock(), note }
        const now = change(tx, was, to, { actor, act: 'withdrawal closed', note })
        if (was.order !== null) allowTime(tx, was.order)
        return caseOf(now)
      }),

    /** Reminds staff of withdrawals whose last day is near or over, each once. For its job. */
    remind: (): Promise<void> =>
      commit((tx) => {
        const today = dateAt(clock())
        for (const { id } of withdrawals.list()) {
          const { isOver, payBy, order, booking } = caseOf(known(id))
          if (isOver || (!order && booking === null)) continue
          const stage =
            today > payBy ? 'late' : today >= addDays(payBy, -remindDays) ? 'soon' : null
          if (stage === null) continue
          mails.enqueue(tx, 'orderWithdrawalDueStaff', {
            key: `withdrawal-${id}-${stage}`,
            ...(order && { about: { thing: 'order', id: order.number } }),
            data: { case: id },
            toStaff: true,
          })
        }
      }),
  }
}
