import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { sum } from '#shared/money.ts'
import type { WithdrawalLineView, WithdrawReply } from '#shared/shop/orders.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { normalReference } from '../../secrets/ids.ts'
import type { Sender } from '../../shares/claims.ts'
import type { Invoices } from '../documents/invoices.ts'
import { isOver, type Order } from '../order.ts'
import type { NewWithdrawalLine } from '../schema.ts'
import type { Parcels } from '../shipping/parcels.ts'
import type { OrderStore } from '../store.ts'
import { exemptionOf } from './right.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'

/** The noun of claims for statements that name no order of their sender. */
const noun = 'withdrawal'

/** A statement as the form sends it. */
type Statement = {
  order: string
  name: string
  email: string
  /** Lines of the order from 1, and pieces; all of it where it is left out. */
  lines?: readonly { line: number; quantity: number }[] | undefined
  confirm?: boolean | undefined
  website?: string | undefined
}

/** A line of an order, and how much of it can still be withdrawn from. */
type Withdrawable = WithdrawalLineView & { readonly id: number; readonly sent: number }

type StatementLine = Omit<NewWithdrawalLine, 'withdrawal'>

/** What takes statements of withdrawal. */
export type Withdrawals = ReturnType<typeof createWithdrawals>

/** How long the same statement counts as the same form sent again. */
const repetitionMs = 10 * minuteMs

/**
 * Makes the withdrawal function (docs/contract.md, Orders): every statement is kept, whatever order
 * it names and whoever sends it. Those about an order of their sender are always acknowledged;
 * others are until a mailbox has had enough, since strangers could enter its address.
 */
export function createWithdrawals(
  { commit, clock, mails, outbox, timeline, shares }: Platform,
  {
    orders,
    store,
    parcels,
    invoices,
    isBookingOf,
  }: {
    orders: OrderStore
    store: WithdrawalStore
    parcels: Parcels
    invoices: Invoices
    isBookingOf: (reference: string, email: string) => boolean
  },
) {
  /** Statements that name an order of their sender always come through. @throws too-many */
  const checkNetwork = ({ network }: Sender) => {
    const max = shares.settings().withdrawals.network
    const { things } = shares.claims.heldSince(noun, network, clock() - dayMs)
    if (!shares.isOn || things < max) return
    shares.refused(noun, 'withdrawals from one network that match no order')
    throw failure('too-many', {
      message:
        'We’ve had many withdrawals from your network for orders we can’t find. Please check the order number and email address, or email us: that is just as valid.',
      retryAfter: hourMs / 1000,
    })
  }

  /** The lines of an order with the pieces that were neither credited nor withdrawn from before. */
  const linesOf = (order: Order): Withdrawable[] => {
    const credited = invoices.creditedPieces(order.id)
    const open = store.openPieces(order.id)
    const named = store.sentPieces(order.id)
    const sent = new Map(parcels.progress(order).map(({ line, sent: pieces }) => [line.id, pieces]))
    return order.lines.flatMap((line, at) => {
      // A discount that is a line of its own goes with what it was taken off.
      if (line.total < 0) return []
      const kept = isOver(order) ? 0 : line.quantity - (credited[at] ?? 0)
      return [
        {
          id: line.id,
          line: at + 1,
          title: line.title,
          quantity: Math.max(0, kept - (open.get(line.id) ?? 0)),
          why: exemptionOf(line, order),
          // What an earlier statement has named does not come back twice.
          sent: Math.max(0, (sent.get(line.id) ?? 0) - (named.get(line.id) ?? 0)),
        },
      ]
    })
  }

  return {
    /** Whether a withdrawal from an order has not been dealt with, so that nothing is asked for it. */
    isOf: (order: number): boolean => store.isOpen(order),
    /** Every statement, the first one first. */
    list: () => store.list(),

    /** Takes a statement; without `confirm` it only tells what would be stated. @throws invalid, too-many */
    async state(
      { order: typed, name, email, lines: chosen, confirm }: Statement,
      { address }: { address: string },
    ): Promise<WithdrawReply> {
      const orderNumber = normalReference(typed)
      const found = orders.find(orderNumber)
      // An order of another buyer is answered like one that does not exist.
      const order = found?.email.toLowerCase() === email.toLowerCase() ? found : null
      const lines = order ? linesOf(order) : []
      const shown = { lines: lines.map(viewOf), exempt: exemptOf(lines) }
      if (!confirm) return { success: true, step: 'confirm', receivedAt: null, ...shown }
      const now = clock()
      const stated = await commit((tx) => {
        const present = order ? linesOf(order) : []
        const wanted = chosenOf(present, chosen)
        // Once everything is withdrawn from, another statement has nothing to add, whenever it comes.
        const isAllStated = present.length > 0 && wanted.length === 0
        const before = store
          .same(orderNumber, email, isAllStated ? 0 : now - dayMs)
          // A form that was sent twice is one statement; later, or after a settlement, as many pieces
          // are others.
          .findLast(
            ({ id, order: of, state, receivedAt }) =>
              (wanted.length === 0 && of === (order?.id ?? null)) ||
              (chosen !== undefined &&
                state !== 'settled' &&
                receivedAt > now - repetitionMs &&
                isSame(store.linesOf(id), wanted)),
          )
        if (before) return { at: before.receivedAt, wanted }
        const sender = shares.sender({ email, address })
        const isOwn = order !== null || isBookingOf(orderNumber, email)
        if (!isOwn) checkNetwork(sender)
        // Goods that are with the customer are waited for; everything else can be paid back.
        const isAwaited = wanted.some(({ sent, exempt }) => sent > 0 && exempt === null)
        const id = store.insert(
          tx,
          {
            orderNumber,
            order: order?.id ?? null,
            name,
            email,
            receivedAt: now,
            state: isAwaited ? 'awaiting' : 'received',
          },
          wanted,
        )
        if (!isOwn) shares.claim(tx, noun, String(id), sender)
        tellWithdrawal(
          tx,
          { mails, timeline, shares },
          { id, orderNumber, order, isOwn, name, email, at: now },
        )
        return { at: now, wanted }
      })
      outbox.wake()
      const kept = stated.wanted.flatMap(({ line, quantity, sent }) => {
        const of = lines.find(({ id }) => id === line)
        return of ? [{ ...of, quantity, sent }] : []
      })
      return {
        success: true,
        step: 'done',
        receivedAt: new Date(stated.at).toISOString(),
        lines: kept.map(viewOf),
        exempt: exemptOf(kept),
      }
    },
  }
}

const viewOf = ({ line, title, quantity, why, sent }: Withdrawable): WithdrawalLineView => ({
  line,
  title,
  quantity,
  why,
  sent: Math.min(sent, quantity),
})

/** Lines without a right of withdrawal, and why. */
const exemptOf = (lines: readonly Withdrawable[]): WithdrawReply['exempt'] =>
  lines.flatMap(({ title, why }) => (why === null ? [] : [{ title, why }]))

/**
 * What a statement is about: the chosen pieces, or all that is left.
 * @throws invalid for a line that is none, for more than is left, and for nothing at all
 */
function chosenOf(lines: readonly Withdrawable[], chosen: Statement['lines']): StatementLine[] {
  const refuse = (message: string) => failure('invalid', { errors: { lines: message } })
  const wanted = new Map((chosen ?? []).map(({ line, quantity }) => [line, quantity]))
  // Of an order that isn’t the sender’s nothing is shown, so nothing can be chosen either.
  if (lines.length > 0 && chosen && sum([...wanted.values()]) === 0) {
    throw refuse('Please choose at least one item')
  }
  for (const [line, quantity] of lines.length > 0 ? wanted : []) {
    const left = lines.find((each) => each.line === line)?.quantity ?? 0
    if (quantity > left) {
      throw refuse(
        left === 0
          ? `Nothing of item ${line} is left to withdraw from`
          : `Please choose at most ${left} of item ${line}`,
      )
    }
  }
  return lines.flatMap(({ id, line, quantity, sent, why }) => {
    const pieces = chosen ? (wanted.get(line) ?? 0) : quantity
    if (pieces === 0) return []
    // Who keeps a piece keeps the one at hand: what hasn't left is withdrawn from first.
    const back = Math.max(0, pieces - Math.max(0, quantity - sent))
    return [{ line: id, quantity: pieces, sent: Math.min(back, sent), exempt: why }]
  })
}

const isSame = (
  before: readonly Pick<StatementLine, 'line' | 'quantity'>[],
  wanted: readonly Pick<StatementLine, 'line' | 'quantity'>[],
): boolean =>
  before.length === wanted.length &&
  wanted.every(({ line, quantity }) =>
    before.some((each) => each.line === line && each.quantity === quantity),
  )

/** Queues the emails about a statement, and writes it into the timeline of its order. */
function tellWithdrawal(
  tx: Transaction,
  { mails, timeline, shares }: Pick<Platform, 'mails' | 'timeline' | 'shares'>,
  {
    id,
    orderNumber,
    order,
    isOwn,
    name,
    email,
    at,
  }: {
    id: number
    orderNumber: string
    /** The order of its sender; null where there is none. */
    order: Order | null
    /** Whether it's about an order or a booking of its sender. */
    isOwn: boolean
    name: string
    email: string
    at: number
  },
): void {
  const data = { withdrawal: { id, order: orderNumber, name, email, at, isKnown: isOwn } }
  const key = `withdrawal-${id}`
  if (isOwn || shares.mayMail(email, 'orderWithdrawal')) {
    mails.enqueue(tx, 'orderWithdrawal', { key, data, recipient: email })
  }
  mails.enqueue(tx, 'orderWithdrawalStaff', { key, data, toStaff: true })
  const stated = { actor: 'visitor', act: 'withdrawal', note: `statement ${id}` }
  if (order) timeline.record(tx, { thing: 'order', thingId: order.number, ...stated })
  else if (isOwn) timeline.record(tx, { thing: 'booking', thingId: orderNumber, ...stated })
}
