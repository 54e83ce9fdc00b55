import { longDate } from '#shared/dates/date-format.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import type { DeskAct } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { euros, parseEuros } from '#shared/money.ts'
import type { OrderActions } from './actions.ts'
import { movedMoneyOf } from './documents/bookings/booking-settlement.ts'
import type { Order } from './order.ts'
import { isNameless } from './payment/payment-actions.ts'
import type { Payment } from './schema.ts'
import type { OrderStore } from './store.ts'

/** By which way money came, or went. */
const ways: Readonly<Record<Payment['source'], string>> = {
  stripe: 'By card',
  bank: 'From the statement',
  staff: 'Recorded by hand',
  'gift-card': 'Gift card',
  refund: 'Refund',
}

/** The payments of an order as staff see them, those that were taken back among them; refunds have their own list. */
export function paymentLines(order: Order, orders: OrderStore): DeskLine[] {
  const standing = new Set(orders.standingPayments(order.id).map(({ id }) => id))
  return orders
    .paymentsOf(order.id)
    .filter(({ amount, source, corrects }) => source !== 'refund' && (amount > 0 || !corrects))
    .map((payment) => {
      const moved = movedMoneyOf(payment, order)
      const note = payment.source === 'staff' && payment.corrects === null && payment.externalId
      return {
        label: ways[payment.source],
        title: `Payment ${payment.id}: ${euros(payment.amount)}`,
        detail: [
          longDate(payment.paidOn),
          payment.payer,
          moved === null ? note && !isNameless(note) && note : 'covers the fee of the booking',
          payment.corrects !== null &&
            (orders.payment(payment.corrects)?.order === order.id
              ? 'what stayed here'
              : 'moved here'),
          !standing.has(payment.id) && takenBackInWords(payment, orders),
        ]
          .filter(Boolean)
          .join(' · '),
        urgent: false,
        at: null,
        href: null,
      }
    })
}

/** What became of a payment that is none of its order any more. */
function takenBackInWords({ id, amount, order }: Payment, orders: OrderStore): string {
  const moved = orders.movedPayments(id).find((each) => each.order !== order)
  const to = moved && orders.findId(moved.order)
  if (!to) return 'taken back'
  return moved.amount === amount
    ? `moved to ${to.number}`
    : `${euros(moved.amount)} moved to ${to.number}`
}

/** What puts right a transfer that was recorded for the wrong order; false where there is none. */
export function correctPaymentAct(payments: readonly Payment[]): DeskAct | false {
  if (payments.length === 0) return false
  return {
    act: 'correct-payment',
    label: 'Correct a payment',
    isForDesk: true,
    hint: 'For a transfer that was recorded here by mistake. The buyer gets an email if the invoice is open again.',
    fields: [
      {
        name: 'payment',
        label: 'Payment',
        kind: 'select',
        options: payments.map(({ id, amount, paidOn }) => ({
          value: String(id),
          label: `${euros(amount)} of ${longDate(paidOn)}`,
        })),
      },
      {
        name: 'to',
        label: 'Order it was for',
        kind: 'text',
        hint: 'Leave it empty if the money never came.',
      },
      {
        name: 'amount',
        label: 'How much of it',
        kind: 'number',
        hint: 'If it paid for both orders. Empty: all of it.',
      },
      { name: 'reason', label: 'Reason', kind: 'text', required: true },
    ],
  }
}

/** Does it. @throws as `correctPayment`, and invalid for an order that there isn't */
export async function correctPayment(
  number: string,
  entries: Entries,
  { actions, by }: { actions: OrderActions; by: string },
): Promise<void> {
  const reason = entries.reason?.trim() ?? ''
  const wrong = (name: string, message: string) =>
    failure('invalid', { message, errors: { [name]: message } })
  if (reason === '') throw wrong('reason', 'Please say why')
  const given = entries.to?.trim() ?? ''
  const to = given === '' ? null : (actions.ofNumber(given)?.number ?? null)
  if (given !== '' && to === null) throw wrong('to', 'There’s no such order')
  const payment = /^\d{1,9}$/.test(entries.payment ?? '') ? Number(entries.payment) : null
  const amount = entries.amount?.trim() ? amountOf(entries, 'amount') : null
  await actions.correctPayment(number, { payment, to, amount, reason, actor: by })
}

/** Cents that staff typed. @throws invalid for what isn't an amount above zero */
export function amountOf(entries: Entries, name: string): number {
  const amount = parseEuros(entries[name] ?? '')
  if (amount !== null && amount > 0) return amount
  const message = 'Please enter an amount such as 120.00'
  throw failure('invalid', { message, errors: { [name]: message } })
}
