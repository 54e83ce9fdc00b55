import { dateAt } from '#shared/dates/civil-dates.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { OrderView, Download } from '#shared/shop/orders.ts'
import type { Platform } from '../../feature.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { visitorByLink } from '../../timeline/timeline.ts'
import type { OrderDeps } from '../order-deps.ts'
import { isOver, type Order } from '../order.ts'
import { balanceOf } from '../payment/balance.ts'
import { orderMail } from '../mails/mails.ts'
import { noun } from '../shares.ts'
import { downloadsOpenOn, hasWithdrawal, isDeliverable } from '../withdrawal/right.ts'
import { newDueOn } from '../withdrawal/new-due.ts'
import type { TakenBackOf } from '../withdrawal/taken-back.ts'
import { awaitedOf } from '../shipping/parcels.ts'
import { orderDetails } from './order-view.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import type { OrderAccess } from './access.ts'
import type { ProductFiles } from './files.ts'

/** Creates the acts of a buyer with the link of an order: viewing it, and unlocking it with a code. */
export function buyerActions(
  { commit, clock, keys, mails, outbox, shares, timeline }: Platform,
  {
    orders,
    invoices,
    access,
    files,
    parcels,
    withdrawals,
    takenBackOf,
    payouts,
    seller,
  }: OrderDeps,
  viewed: (order: Order) => Promise<Order>,
) {
  const waitsOf = ({ state, number }: Order): OrderView['waits'] => {
    const claim = state === 'waiting' ? shares.waiting(noun, number) : null
    return (
      claim && {
        for: claim.parked === 'link' ? 'link' : 'staff',
        until: new Date(claim.until).toISOString(),
      }
    )
  }

  /** Whether files of an order wait for the end of its right of withdrawal, and need not. */
  const mayAskAtOnce = (order: Order, takenBack = takenBackOf(order)): boolean =>
    order.lines.some(({ kind }, at) => kind === 'digital' && !takenBack.has(at)) &&
    !order.digitalWaiver &&
    ['paid', 'shipped'].includes(order.state) &&
    dateAt(clock()) < downloadsOpenOn(order) &&
    !withdrawals.isOpen(order.id)

  return {
    /**
     * Delivers digital content at once, as its buyer asks for it on the order's page, and confirms by
     * email that the right of withdrawal ends with it.
     * @throws missing for a page that is not open; wrong-state where nothing waits
     */
    async askAtOnce(token: string, requestContext: RequestContext): Promise<void> {
      const opened = access.of(token, requestContext)
      if (!opened.isOpen) throw failure('missing')
      await commit((tx) => {
        const order = orders.findId(opened.order.id)
        if (!order || !mayAskAtOnce(order)) {
          throw failure('wrong-state', { message: 'This order has no files to open early.' })
        }
        const after = orders.change(tx, order, { digitalWaiver: true, waivedAt: clock() })
        if (!after)
          throw failure('changed', { message: 'This order has just changed. Please try again.' })
        timeline.record(tx, {
          thing: 'order',
          thingId: order.number,
          actor: visitorByLink,
          act: 'asked for the files at once',
        })
        orderMail(tx, mails, 'orderAtOnce', after, null)
      })
      outbox.wake()
    },

    /** An order as its buyer can see it now; a payment that is not known yet is asked for beside it. */
    async view(token: string, requestContext: RequestContext): Promise<OrderView> {
      const opened = access.of(token, requestContext)
      const order = await viewed(opened.order)
      const facts = { order: order.number, state: order.state, waits: waitsOf(order) }
      if (!opened.isOpen) return { ...facts, details: null }
      const takenBack = takenBackOf(order)
      const details = orderDetails(order, token, {
        invoice: invoices.invoiceOf(order.id),
        newDueOn: newDueOn(withdrawals.heldUp(order)),
        credits: invoices.ofOrder(order.id).filter(({ kind }) => kind === 'credit'),
        balance: balanceOf(order, { orders, invoices }),
        charges: orders.chargesOf(order.id).filter(({ waivedAt }) => waivedAt === null),
        progress: awaitedOf(parcels.progress(order), withdrawals.unsentPieces(order.id)),
        // What is off is no longer waited for.
        downloads: isOver(order)
          ? []
          : downloadsOf(order, {
              access,
              files,
              clock,
              takenBack,
              refusal: opened.filesRefusal,
            }),
        takenBack,
        parcels: parcels.of(order.id),
        mayAskAtOnce: mayAskAtOnce(order, takenBack),
        canWithdraw: hasWithdrawal({
          ...order,
          lines: order.lines.filter(({ total }, at) => total >= 0 && !takenBack.has(at)),
        }),
        withdrawnAt: withdrawals.openSince(order.id),
        withdrawn: withdrawals.openPieces(order.id),
        payouts: payouts.ofOrder(order.id),
        payments: orders.standingPayments(order.id),
        pickupAt: order.pickup ? (await seller()).address.join(', ') : null,
      })
      return { ...facts, details }
    },

    /** Sends a code to the buyer, or opens the order with it. The row of the email holds it sealed. */
    async open(
      token: string,
      code: string | undefined,
      requestContext: RequestContext,
    ): Promise<boolean> {
      const { order } = access.of(token, requestContext)
      if (code !== undefined && code.trim() !== '') {
        access.enter(order, code, requestContext)
        await commit((tx) => orders.verify(tx, order))
        return true
      }
      // A code that is not mailed would take the place of one that was.
      if (!shares.mayMail(order.email, 'orderCode')) {
        throw failure('too-many', {
          message: `We’ve emailed you ${shares.settings().mails.mailbox} codes within a day. The latest one opens the order; you can request another tomorrow.`,
          retryAfter: dayMs / 1000,
        })
      }
      const made = access.makeCode(order)
      await commit((tx) => {
        mails.enqueue(tx, 'orderCode', {
          key: `order-code-${order.number}-${clock()}`,
          about: { thing: 'order', id: order.number },
          data: { order: order.number, code: keys.seal('order-code', made), to: order.email },
          recipient: order.email,
        })
      })
      outbox.wake()
      return false
    },
  }
}

type DownloadDeps = {
  access: OrderAccess
  files: ProductFiles
  clock: () => number
  takenBack: ReturnType<TakenBackOf>
  /** Why the reader gets none of the files; null where nothing prevents it. */
  refusal: string | null
}

/** The files of the digital goods that the buyer still has: a link that works for an hour, or why they wait. */
function downloadsOf(
  order: Order,
  { access, files, clock, takenBack, refusal }: DownloadDeps,
): Download[] {
  const waits = refusal ?? whyNot(order, clock())
  return order.lines.flatMap((line, index) => {
    if (line.kind !== 'digital' || takenBack.has(index)) return []
    return line.files.map((name) => ({
      name,
      bytes: files.size(name),
      href: waits ? null : linkedPaths.download(access.downloadToken(order, index), name),
      waits,
    }))
  })
}

function whyNot(order: Order, now: number): string | null {
  const isPaid = isDeliverable(order)
  const opensOn = downloadsOpenOn(order)
  if (order.digitalWaiver || dateAt(now) >= opensOn) {
    return isPaid ? null : 'It opens once your payment has arrived.'
  }
  return isPaid
    ? `It opens on ${longDate(opensOn)}, when your right of withdrawal has ended.`
    : `It opens once your payment has arrived, on ${longDate(opensOn)} at the earliest: your right of withdrawal will have ended by then.`
}
