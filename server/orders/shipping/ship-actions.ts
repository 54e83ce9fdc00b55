import { failure } from '#shared/failures.ts'
import { euros, sum, times } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { orderMail } from '../mails/mails.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'
import { balanceOf } from '../payment/balance.ts'
import type { PackingSlip } from '../documents/pdf/packing-pdf.ts'
import { customsForm } from './customs.ts'
import { changed, known } from '../staff-actions.ts'
import type { LineProgress, SentParcel } from './parcels.ts'

/** How goods leave. */
export type Shipment = {
  readonly carrier?: string | undefined
  readonly tracking?: string | undefined
  /** Lines of the order by their place, from 0; all that is left where it is left out. */
  readonly lines?: readonly { readonly line: number; readonly quantity?: number | undefined }[]
  /** Whether it leaves before it is paid, as staff decide for one order of a company. */
  readonly isUnpaid?: boolean
  /** Whether it leaves although its buyer has withdrawn from it. */
  readonly despiteWithdrawal?: boolean
  /** Whether it leaves although its payment went back. */
  readonly despiteLostPayment?: boolean
  readonly actor: string
}

/** An order that has to be packed. */
export type ToPack = {
  readonly order: Order
  readonly lines: readonly LineProgress[]
  /** Grams of what is left. */
  readonly weight: number
  /** Pieces that its buyer has withdrawn from, of what would be sent. */
  readonly withdrawn: number
  /** Cents of its payment that went back and no credit note takes off, as by a dispute. */
  readonly gone: number
}

/** Creates the acts of shipping and pickup. */
export function shipActions(
  { commit, clock, log, mails, outbox, timeline }: Platform,
  { orders, invoices, parcels, withdrawals }: OrderDeps,
) {
  const mayLeave = ({ state, onAccount, booking }: Order) =>
    state === 'paid' || (state === 'open' && (onAccount || booking !== null))

  /** @throws wrong-state for an order whose goods may not leave, and says why */
  const assertMayLeave = (order: Order, isUnpaid: boolean): void => {
    if (mayLeave(order)) return
    if (order.state !== 'open') {
      throw failure('wrong-state', {
        message: `This order is ${order.state}, so it can’t be shipped.`,
      })
    }
    if (!isUnpaid) {
      throw failure('wrong-state', {
        message: `${order.number} isn’t paid yet, and goods leave after payment.`,
        details: { because: 'unpaid' },
      })
    }
    if (order.company === null) {
      throw failure('wrong-state', {
        message: `${order.number} is a consumer’s order: it ships once it’s paid.`,
      })
    }
  }

  const progressOf = (order: Order) => parcels.progress(order)

  /** The pieces of a shipment. @throws wrong-state for more than is left, and when nothing is */
  const piecesOf = (
    order: Order,
    wanted: Shipment['lines'],
  ): { line: number; quantity: number }[] => {
    const progress = progressOf(order)
    if (progress.length === 0) {
      throw failure('wrong-state', { message: `${order.number} has nothing to ship.` })
    }
    const left = progress.filter(({ rest }) => rest > 0)
    if (left.length === 0) {
      throw failure('wrong-state', { message: `Nothing of ${order.number} is left to ship.` })
    }
    if (!wanted) return left.map(({ line, rest }) => ({ line: line.id, quantity: rest }))
    if (new Set(wanted.map(({ line }) => line)).size < wanted.length) {
      throw failure('wrong-state', { message: 'Name each line once.' })
    }
    return wanted.map(({ line: at, quantity }) => {
      const found = left.find((each) => each.at === at)
      if (!found) {
        throw failure('wrong-state', { message: `Line ${at + 1} has nothing left to ship.` })
      }
      if ((quantity ?? 1) > found.rest) {
        throw failure('wrong-state', {
          message: `Of line ${at + 1}, ${found.rest} ${found.rest === 1 ? 'piece is' : 'pieces are'} left to ship.`,
        })
      }
      return { line: found.line.id, quantity: quantity ?? found.rest }
    })
  }

  /** Pieces of a parcel that its buyer has withdrawn from: more than what would be kept. */
  const withdrawnByLine = (
    order: Order,
    pieces: readonly { line: number; quantity: number }[],
  ): ReadonlyMap<number, number> => {
    const open = withdrawals.unsentPieces(order.id)
    const progress = progressOf(order)
    return new Map(
      pieces.map(({ line, quantity }) => {
        const rest = progress.find((each) => each.line.id === line)?.rest ?? 0
        return [line, Math.max(0, quantity - Math.max(0, rest - (open.get(line) ?? 0)))]
      }),
    )
  }

  const withdrawnIn = (order: Order, pieces: readonly { line: number; quantity: number }[]) =>
    sum([...withdrawnByLine(order, pieces).values()])

  /** Cents of the payment for an order that went back and no credit note takes off. */
  const goneOf = (order: Order): number =>
    order.state === 'paid' ? Math.max(0, balanceOf(order, { orders, invoices }).open) : 0

  /** What has to be packed of an order; null for nothing. */
  const toPackOf = (order: Order): ToPack | null => {
    if (!mayLeave(order)) return null
    const lines = progressOf(order).filter(({ rest }) => rest > 0)
    if (lines.length === 0) return null
    const pieces = lines.map(({ line, rest }) => ({ line: line.id, quantity: rest }))
    return {
      order,
      lines,
      weight: sum(lines.map(({ line, rest }) => times(line.weight ?? 0, rest))),
      withdrawn: withdrawnIn(order, pieces),
      gone: goneOf(order),
    }
  }

  return {
    /**
     * Sends what is left of an order, or a part of it, and tells the buyer; of an order that is picked
     * up, notes that it was handed over. With its last piece the order is `shipped`.
     * @throws missing; wrong-state for an order that isn't paid and may not leave, for more than is left, for
     *   pieces that its buyer has withdrawn from, and for one whose payment went back
     */
    async ship(
      number: string,
      {
        actor,
        carrier,
        tracking,
        lines,
        isUnpaid = false,
        despiteWithdrawal = false,
        despiteLostPayment = false,
      }: Shipment,
    ): Promise<{ order: Order; parcel: SentParcel; left: number }> {
      const done = await commit((tx) => {
        const order = known(orders.find(number))
        assertMayLeave(order, isUnpaid)
        const pieces = piecesOf(order, lines)
        const byLine = withdrawnByLine(order, pieces)
        const withdrawn = sum([...byLine.values()])
        if (withdrawn > 0 && !despiteWithdrawal) {
          throw failure('wrong-state', {
            message: `The buyer has withdrawn from ${withdrawn} ${withdrawn === 1 ? 'piece' : 'pieces'} of this. Look at the withdrawal first.`,
            details: { because: 'withdrawn' },
          })
        }
        const gone = goneOf(order)
        if (gone > 0 && !despiteLostPayment) {
          throw failure('wrong-state', {
            message: `${euros(gone)} of the payment for ${number} went back, by a dispute or a refund at Stripe. Look at that first.`,
            details: { because: 'gone' },
          })
        }
        const parcel = parcels.send(tx, order, {
          carrier: order.pickup ? null : (carrier ?? null),
          tracking: order.pickup ? null : (tracking ?? null),
          lines: pieces,
        })
        if (withdrawn > 0) withdrawals.sendAll(tx, order.id, byLine)
        const left = sum(progressOf(order).map(({ rest }) => rest))
        const after = changed(
          orders.change(
            tx,
            order,
            // What left unpaid is owed: its invoice doesn't end with the days to pay.
            left === 0
              ? { state: 'shipped', shippedAt: clock(), reservedUntil: null }
              : { reservedUntil: null },
          ),
        )
        orders.verify(tx, order)
        timeline.record(tx, {
          thing: 'order',
          thingId: number,
          actor,
          act: order.pickup ? 'handed over' : left === 0 ? 'shipped' : 'shipped in part',
          before: order.state,
          after: after.state,
          note: [parcel.carrier, parcel.tracking].filter(Boolean).join(' ') || null,
        })
        orderMail(tx, mails, 'orderShipped', after, null, {
          parcel: parcel.id,
          ...(withdrawn > 0 && { withdrawn }),
        })
        return { order: after, parcel, left }
      })
      outbox.wake()
      log.info({ order: number, act: 'shipped', state: done.order.state }, 'order changed')
      return done
    },

    /** Tells the buyer that an order can be picked up; once. @throws missing, changed, wrong-state */
    async ready(number: string, actor: string): Promise<Order> {
      const ready = await commit((tx: Transaction) => {
        const order = known(orders.find(number))
        if (!order.pickup) {
          throw failure('wrong-state', {
            message: `${order.number} is to be shipped, not picked up.`,
          })
        }
        assertMayLeave(order, false)
        if (order.readyAt !== null) {
          throw failure('wrong-state', { message: 'The buyer has already been told.' })
        }
        const after = changed(orders.change(tx, order, { readyAt: clock() }))
        timeline.record(tx, {
          thing: 'order',
          thingId: order.number,
          actor,
          act: 'ready for pickup',
        })
        orderMail(tx, mails, 'orderReady', after, null)
        return after
      })
      outbox.wake()
      return ready
    },

    /** What has to be packed, the oldest order first. */
    toPack: (): ToPack[] => orders.unshipped().flatMap((order) => toPackOf(order) ?? []),
    toPackOf,

    /** What goes into the next parcel of an order. @throws missing; wrong-state when nothing does */
    slip(number: string): PackingSlip {
      const order = known(orders.find(number))
      const lines = progressOf(order).filter(({ rest }) => rest > 0)
      if (lines.length === 0) {
        throw failure('wrong-state', { message: `${order.number} has nothing to send.` })
      }
      const invoice = invoices.invoiceOf(order.id)?.number ?? null
      return { order, invoice, lines, customs: customsForm(order, lines) }
    },

    /** Pieces of what would be sent of an order that its buyer has withdrawn from. */
    withdrawnOf: (order: Order): number =>
      withdrawnIn(
        order,
        progressOf(order).map(({ line, rest }) => ({ line: line.id, quantity: rest })),
      ),

    /** What of the goods of an order has been sent, and what is left. */
    progressOf,
    /** What has left of an order, the first parcel first. */
    parcelsOf: (order: Order) => parcels.of(order.id),
  }
}
