import { addDays, dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { Order } from '../order.ts'
import type { Payouts } from '../payment/payouts.ts'
import type { Withdrawal, WithdrawalLine } from '../schema.ts'
import type { OrderStore } from '../store.ts'
import { isAllExempt } from './right.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'

/** How far a withdrawal has come, as staff read it; `settled` is one for which nothing had been paid. */
export type WithdrawalStage =
  | 'received'
  | 'goods awaited'
  | 'goods back'
  | 'to be paid'
  | 'paid back'
  | 'settled'
  | 'closed'

/** A withdrawal as staff see it. */
export type WithdrawalCase = {
  readonly withdrawal: Withdrawal
  readonly order: Order | null
  /** The reference of its sender's booking, where it's about one; that is ended at the booking. */
  readonly booking: string | null
  readonly lines: readonly (WithdrawalLine & { readonly at: number; readonly title: string })[]
  readonly stage: WithdrawalStage
  /** The last day for paying back; it waits for goods that are neither back nor proven to be sent. */
  readonly payBy: CivilDate
  readonly isOver: boolean
  /** Whether none of what it names has a right of withdrawal: it's answered and closed, never paid back. */
  readonly isExempt: boolean
  /** Whether anything has been paid for what it's from; true where that isn't known. */
  readonly isPaid: boolean
  /**
   * What staff have to know where it's about a service that the buyer asked us to begin before the right
   * ended: what was done until the statement is paid for (Directive 2011/83/EU, art. 14(3)). Else null.
   */
  readonly work: string | null
}

/** What a withdrawal that isn't over waits for, in a few words. */
export const todoOf = ({
  booking,
  payBy,
  isExempt,
  isPaid,
}: Pick<WithdrawalCase, 'booking' | 'payBy' | 'isExempt' | 'isPaid'>): string => {
  if (isExempt) return 'no right of withdrawal: answer and close it'
  if (isPaid) return `pay back by ${longDate(payBy)}`
  return booking === null
    ? 'nothing paid: settle it to credit the invoice'
    : 'nothing paid, so nothing to pay back'
}

/**
 * What staff do about work that was done. Settling credits all of a line, and an amount alone would be spread
 * over the goods, too; so where there are others, each line is credited by itself in one note.
 */
function workInWords(order: Order, lines: WithdrawalCase['lines']): string {
  const owed = 'The buyer asked for an early start and pays for work done by then. If any is done,'
  if (order.lines.length === 1) {
    return `${owed} credit the rest by amount and close the withdrawal instead of settling it.`
  }
  const chosen = lines
    .filter(({ exempt }) => exempt === null)
    .map(({ at, quantity }) =>
      order.lines[at]?.kind === 'service'
        ? `--line ${at + 1}=<euros>`
        : `--line ${at + 1}x${quantity}`,
    )
  // The shipping's lines come after those of the order.
  const shipping = order.shippingParts.map((_, at) => `--line ${order.lines.length + at + 1}`)
  const goods = lines.some(({ at }) => order.lines[at]?.kind === 'physical')
  const delivery =
    goods && shipping.length > 0
      ? `, with ${shipping.join(' ')} for the delivery if no goods are kept`
      : ''
  return `${owed} don’t settle the withdrawal. Credit its lines at the desk, or with pitlane orders credit ${order.number} ${chosen.join(' ')} --reason "Withdrawal", where <euros> is what isn’t owed of the service${delivery}. Then close the withdrawal.`
}

/** The withdrawals as staff see them. */
export type WithdrawalCases = ReturnType<typeof createWithdrawalCases>

/** Creates the view of each withdrawal's progress; the staff's acts are in `withdrawal-desk.ts`. */
export function createWithdrawalCases({
  orders,
  payouts,
  withdrawals,
  isBookingOf,
}: {
  orders: Pick<OrderStore, 'findId' | 'ofBooking' | 'standingPayments'>
  payouts: Pick<Payouts, 'ofOrder'>
  withdrawals: WithdrawalStore
  isBookingOf: (reference: string, email: string) => boolean
}) {
  const stageOf = ({ state, credit }: Withdrawal, order: Order | null): WithdrawalStage => {
    if (state === 'received') return 'received'
    if (state === 'awaiting') return 'goods awaited'
    if (state === 'back') return 'goods back'
    if (state === 'closed') return 'closed'
    const back =
      order === null || credit === null
        ? []
        : payouts.ofOrder(order.id).filter((each) => each.credit === credit)
    if (back.length === 0) return 'settled'
    return back.some(({ sentAt }) => sentAt === null) ? 'to be paid' : 'paid back'
  }

  /** Whether anything was paid for an order, or for any invoice of a booking. */
  const isPaid = (order: Order | null, booking: string | null): boolean => {
    const of = order ? [order] : booking === null ? null : orders.ofBooking(booking)
    return of === null || of.some(({ id }) => orders.standingPayments(id).length > 0)
  }

  const caseOf = (withdrawal: Withdrawal): WithdrawalCase => {
    const order = withdrawal.order === null ? null : orders.findId(withdrawal.order)
    const stage = stageOf(withdrawal, order)
    const lines = withdrawals.linesOf(withdrawal.id).map((line) => {
      const at = order?.lines.findIndex(({ id }) => id === line.line) ?? -1
      return { ...line, at, title: order?.lines[at]?.title ?? '' }
    })
    const booking =
      order === null && isBookingOf(withdrawal.orderNumber, withdrawal.email)
        ? withdrawal.orderNumber
        : null
    return {
      withdrawal,
      order,
      booking,
      lines,
      stage,
      payBy: addDays(dateAt(withdrawal.receivedAt), orderLimits.payBackDays),
      isOver: stage === 'paid back' || stage === 'settled' || stage === 'closed',
      isExempt: isAllExempt(lines),
      isPaid: isPaid(order, booking),
      work:
        order?.beginEarly &&
        lines.some(({ at, exempt }) => exempt === null && order.lines[at]?.kind === 'service')
          ? workInWords(order, lines)
          : null,
    }
  }

  return {
    caseOf,
    /** @throws missing */
    find(id: number): WithdrawalCase {
      const found = withdrawals.find(id)
      if (!found) throw failure('missing', { message: `Withdrawal not found: ${id}.` })
      return caseOf(found)
    },
  }
}
