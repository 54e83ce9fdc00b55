import { dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { Claim } from '../shares/schema.ts'
import { visitorByLink } from '../timeline/timeline.ts'
import { transferEnd } from './checkout/transfer-end.ts'
import { expireKind } from './payment/end-order.ts'
import type { Seller } from './documents/invoice-document.ts'
import { payByGiftCard } from './payment/gift-card-part.ts'
import { takePieces } from './payment/late-payment.ts'
import { orderMail } from './mails/mails.ts'
import type { Order } from './order.ts'
import type { OrderDeps } from './order-deps.ts'
import { limitReached, noun } from './shares.ts'
import { changed, known } from './staff-actions.ts'

/** Creates the acts that release a waiting order: by its link, or by staff. */
export function waitingActions(platform: Platform, deps: OrderDeps) {
  const { commit, clock, jobs, log, mails, outbox, shares, timeline } = platform
  const { shop, orders, invoices, seller } = deps

  /** The cents that came in for an order and haven't left again, without gift cards. */
  const moneyOf = (order: Order): number =>
    orders
      .paymentsOf(order.id)
      .reduce((sum, { source, amount }) => sum + (source === 'gift-card' ? 0 : amount), 0)

  /**
   * Lets an order on: it takes its pieces, gets its invoice, and its buyer the confirmation.
   * @throws stock, changed, wrong-state
   */
  const letOn = (
    tx: Transaction,
    order: Order,
    { actor, sellerNow, isProven }: { actor: string; sellerNow: Seller; isProven: boolean },
  ): Order => {
    if (order.state !== 'waiting') {
      throw failure('wrong-state', {
        message: `This order is ${order.state}, so it isn’t waiting.`,
      })
    }
    if (!takePieces(tx, shop, order)) {
      throw failure('stock', { message: 'Sorry, these items have sold out since.' })
    }
    const reservedUntil = transferEnd(clock(), shares.settings().orders.transferDays)
    // The payment page of a card order is long closed, so it is paid by its invoice.
    const open = changed(
      orders.change(tx, order, { state: 'open', payment: 'invoice', reservedUntil }),
    )
    const claim = shares.claims.find(noun, order.number)
    if (claim) shares.release(tx, claim, { isProven })
    // Only the mailbox that the email went to has this link.
    if (isProven) orders.verify(tx, open)
    const { number } = invoices.issue(tx, open, sellerNow, { paid: false })
    payByGiftCard(tx, orders, open, dateAt(clock()))
    timeline.record(tx, {
      thing: 'order',
      thingId: order.number,
      actor,
      act: isProven ? 'confirmed the email address' : 'accepted',
      before: order.state,
      after: open.state,
    })
    orderMail(tx, mails, 'orderConfirmed', open, number)
    orderMail(tx, mails, 'orderPlacedStaff', open, number)
    jobs.schedule(tx, expireKind, order.number, reservedUntil)
    return open
  }

  /** The order of a link; `isOver` for one that was let on already. @throws missing, gone */
  const ofClaim = ({ thing, until }: Claim): { order: Order; isOver: boolean } => {
    const order = known(orders.find(thing))
    const isOver = ['open', 'paid', 'shipped'].includes(order.state)
    if (!isOver && (order.state !== 'waiting' || (until ?? 0) <= clock())) {
      throw failure('gone', { message: 'This link has expired. Please place your order again.' })
    }
    return { order, isOver }
  }

  return {
    /** What the link of a waiting order is about. @throws missing, gone */
    waiting: (token: string) => ofClaim(shares.ofLink(noun, token)),

    /**
     * Lets a waiting order on by the link in its email. The limits of its mailbox and network stay:
     * beyond them it waits for staff.
     * @returns the order, and whether it has its pieces now
     * @throws missing, gone, stock
     */
    async useLink(token: string): Promise<{ order: Order; isHeld: boolean }> {
      const claim = shares.ofLink(noun, token)
      const { order, isOver } = ofClaim(claim)
      if (isOver) return { order, isHeld: true }
      const sellerNow = await seller()
      const open = await commit((tx) => {
        const now = known(orders.find(order.number))
        const limits = { ...deps, shares, clock }
        if (limitReached(limits, claim, now, { except: now.number, isProven: true })) {
          shares.claims.change(tx, claim, { parked: 'staff', provenAt: clock() })
          return null
        }
        return letOn(tx, now, { actor: visitorByLink, sellerNow, isProven: true })
      })
      outbox.wake()
      return { order: open ?? order, isHeld: open !== null }
    },

    /** Lets a waiting order on for staff, who have no limits. @throws missing, stock, changed, wrong-state */
    async accept(number: string, actor: string): Promise<Order> {
      const sellerNow = await seller()
      const open = await commit((tx) =>
        letOn(tx, known(orders.find(number)), { actor, sellerNow, isProven: false }),
      )
      outbox.wake()
      log.info({ order: number, act: 'accepted', state: open.state }, 'order changed')
      return open
    },

    /**
     * Unpaid orders of the same mailbox or network as one of them, for staff who clear a flood. One that
     * was paid in part is someone’s.
     * @throws missing
     */
    like(number: string): Order[] {
      const { number: given } = known(orders.find(number))
      return [...new Set([given, ...shares.like(noun, given)])].flatMap((each) => {
        const order = orders.find(each)
        const isUnpaid =
          order && ['waiting', 'pending', 'open'].includes(order.state) && moneyOf(order) <= 0
        return isUnpaid ? [order] : []
      })
    },
  }
}
