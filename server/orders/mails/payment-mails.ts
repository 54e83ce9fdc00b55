import { longDate } from '#shared/dates/date-format.ts'
import { dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { euros, sum } from '#shared/money.ts'
import { dataTable } from '../../mail/tables.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import type { MailTemplate } from '../../mail/template.ts'
import {
  aboutOrder,
  attached,
  licencesAttached,
  licencesOfOrder,
  linesTable,
  paymentFacts,
  replacementOf,
  toBuyer,
  type OrderMailDeps,
  type OrderMail,
} from './order-mail-template.ts'
import { isOver, type Order } from '../order.ts'
import { chargeNames, leftOf } from '../payment/balance.ts'
import type { Payout } from '../schema.ts'
import { downloadsOpenOn, isBusinessOrder } from '../withdrawal/right.ts'

/** What a buyer is told of the money of an order. */
export const paymentMails = (deps: OrderMailDeps) =>
  ({
    orderPaid: paid(deps),
    orderPaymentTakenBack: takenBack(deps),
    orderInvoiceReminder: reminder(deps),
    orderSecondReminder: secondReminder(deps),
    orderPaidOut: paidOut(deps),
    orderCancelled: cancelled(deps),
    orderCredited: credited(deps),
    orderExcess: excess(deps),
    orderDelayed: delayed(deps),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

/** Says that the money is here, and of digital goods whether they can be fetched now. */
const paid = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    if (order.paidAt === null || (order.state !== 'paid' && order.state !== 'shipped')) {
      return { skip: `the order is now ${order.state}` }
    }
    const files = filesNote(order, dateAt(order.paidAt))
    const licences = licencesOfOrder(deps, order).length
    const bookingUrl = order.booking && deps.bookingUrl(order.booking)
    const { charges } = deps.balanceOf(order)
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Your payment for ${order.booking === null ? `order ${order.number}` : `booking ${order.booking}`} has arrived`,
        preheader: files ?? paidInWords(order, { charges }),
        headline: 'Thank you, your payment has arrived',
        number: aboutWhat(order),
        body: paragraphs(
          [
            paidInWords(order, { invoice: invoice?.number, charges }),
            ...(files ? [files] : []),
            ...(licences > 0
              ? [licences === 1 ? 'Your licence is attached.' : 'Your licences are attached.']
              : []),
          ].join('\n\n'),
        ),
        button: bookingUrl
          ? { label: 'See your booking', url: bookingUrl }
          : {
              label: files ? 'See your order and its files' : 'See your order',
              url: deps.successUrl(order),
            },
        details: [
          ['Total', euros(order.total)],
          ...(invoice ? [['Invoice', String(invoice.number)] as [string, string]] : []),
          ['Paid on', longDate(deps.paidOn(order) ?? dateAt(order.paidAt))],
        ],
      }),
      attachments: await licencesAttached(deps, order),
    })
  }),
})

/** Takes back that the money is here, which was our mistake, and says what is open. */
const takenBack = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    if (!invoice) return { skip: 'the invoice is gone' }
    const { open } = deps.balanceOf(order)
    if (order.paidAt !== null || open <= 0) return { skip: 'nothing left to pay' }
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Correction: invoice ${invoice.number} isn’t paid yet`,
        headline: 'Your invoice isn’t paid yet',
        number: aboutWhat(order),
        body: paragraphs(
          `We told you that your payment for invoice ${invoice.number} had arrived. That was our mistake: the payment wasn’t for this invoice. ${euros(open)} is still open${order.state === 'open' && order.reservedUntil !== null ? `, and the order ends on ${longDate(dateAt(order.reservedUntil))} if it stays unpaid` : ''}. If you’ve paid it in the last few days, please ignore this email.`,
        ),
        button: whereToPay(deps, order),
        details: paymentFacts(invoice, open),
      }),
      attachments: [await attached(deps, invoice)],
    })
  }),
})

/** What an email is about: a booking to who booked, not the order that its invoice is kept as. */
const aboutWhat = ({ booking, number }: Order): string =>
  booking === null ? `Order ${number}` : `Booking ${booking}`

/** The same in a sentence. */
const yours = ({ booking, number }: Order): string =>
  booking === null ? `your order ${number}` : `booking ${booking}`

/**
 * That it's paid. An invoice of a booking may be a part of its price, so it says no more than that.
 * @param about `charges` is what being late has cost and isn't paid, in cents
 */
function paidInWords(
  { booking }: Order,
  { invoice, charges }: { invoice?: number | undefined; charges: number },
): string {
  if (booking === null && charges === 0) return 'Nothing is left to pay.'
  const isPaid = `${invoice === undefined ? 'This invoice' : `Invoice ${invoice}`} is paid.`
  return charges === 0
    ? isPaid
    : `${isPaid} ${euros(charges)} of what paying late has cost is left, with the same reference number.`
}

function filesNote(order: Order, today: string): string | null {
  if (order.lines.every(({ kind }) => kind !== 'digital')) return null
  const opensOn = downloadsOpenOn(order)
  return order.digitalWaiver || today >= opensOn
    ? 'Your downloads are ready on your order page.'
    : `Your downloads open on ${longDate(opensOn)}, when your right of withdrawal has ended.`
}

const reminder = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    if (!invoice) return { skip: 'the invoice is gone' }
    const balance = deps.balanceOf(order)
    if (order.paidAt !== null || balance.open <= 0) return { skip: 'nothing left to pay' }
    if (deps.isWithdrawn(order)) return { skip: 'the buyer has withdrawn' }
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Reminder: invoice ${invoice.number}${order.booking === null ? '' : ` for booking ${order.booking}`}`,
        headline: 'Payment reminder',
        number: `Invoice ${invoice.number}${order.booking === null ? '' : `, booking ${order.booking}`}`,
        body: paragraphs(
          `This invoice is past its due date and we haven’t received ${balance.paid > 0 ? 'all of your payment' : 'your payment'} yet.${endsUnpaid(deps, order)} If you’ve paid in the last few days, please ignore this email.`,
        ),
        button: whereToPay(deps, order),
        details: [
          ...(balance.paid > 0 ? [['Paid so far', euros(balance.paid)] as [string, string]] : []),
          ...(balance.credited > 0
            ? [['Credited', euros(balance.credited)] as [string, string]]
            : []),
          ...paymentFacts(invoice, balance.open),
        ],
      }),
      attachments: [await attached(deps, invoice)],
    })
  }),
})

/**
 * When an order ends that stays unpaid, in a sentence; one that a part was paid of in money doesn't end by
 * itself.
 */
const endsUnpaid = (deps: Pick<OrderMailDeps, 'paidInMoney'>, order: Order): string =>
  order.state === 'open' && order.reservedUntil !== null && deps.paidInMoney(order) <= 0
    ? ` If it stays unpaid, the order ends on ${longDate(dateAt(order.reservedUntil))}.`
    : ''

/** Leads to the payment by card of an invoice of a booking. @param bookingUrl the page of the booking */
export const payByCard = (bookingUrl: string) => ({
  label: 'Pay by card',
  url: `${bookingUrl}#documents-title`,
})

/** Where what an email is about is looked at: the page of the order, or that of the booking it invoices. */
function whereToLook(deps: OrderMailDeps, order: Order): { label: string; url: string } {
  const bookingUrl = order.booking === null ? null : deps.bookingUrl(order.booking)
  return bookingUrl === null
    ? { label: 'See your order', url: deps.successUrl(order) }
    : { label: 'See your booking', url: bookingUrl }
}

/** Where an invoice that is late is looked at, and paid by card where it can be. */
function whereToPay(deps: OrderMailDeps, order: Order): { label: string; url: string } {
  const bookingUrl = order.booking === null ? null : deps.bookingUrl(order.booking)
  return bookingUrl !== null && deps.payable(order) > 0
    ? payByCard(bookingUrl)
    : whereToLook(deps, order)
}

/** Asks once more, with what being late costs by now. */
const secondReminder = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    if (!invoice) return { skip: 'the invoice is gone' }
    const balance = deps.balanceOf(order)
    if (order.paidAt !== null || balance.open <= 0) return { skip: 'nothing is left to pay' }
    if (deps.isWithdrawn(order)) return { skip: 'its buyer has withdrawn' }
    const charges = deps.chargesOf(order)
    const rate = deps.lateRateOf(order)
    const law = isBusinessOrder(order) ? 'section 4 a' : 'section 4'
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Second reminder: invoice ${invoice.number}${order.booking === null ? '' : ` for booking ${order.booking}`}`,
        headline: 'Second payment reminder',
        number: `Invoice ${invoice.number}${order.booking === null ? '' : `, booking ${order.booking}`}`,
        body: paragraphs(
          [
            `This invoice is still ${balance.paid > 0 ? 'not paid in full' : 'unpaid'} after our first reminder. Please pay ${balance.paid > 0 ? 'the rest' : 'it'} within 14 days; after that we can give it to a collection agency, which costs you more.`,
            ...(charges.some(({ kind }) => kind === 'interest') && rate !== null
              ? [
                  `The late interest is that of the Finnish Interest Act (633/1982, ${law}), ${rate} % a year now. It’s worked out up to yesterday.`,
                ]
              : []),
            'If you’ve paid in the last few days, please ignore this message. If something is wrong with the invoice, reply to this email, and we’ll look at it before anything else happens.',
          ].join('\n\n'),
        ),
        button: whereToPay(deps, order),
        details: [
          ...(balance.paid > 0 ? [['Paid so far', euros(balance.paid)] as [string, string]] : []),
          ...(balance.credited > 0
            ? [['Credited', euros(balance.credited)] as [string, string]]
            : []),
          ...paymentFacts(
            invoice,
            leftOf(balance),
            charges.map(({ kind, amount }) => [chargeNames[kind], euros(amount)] as const),
          ),
        ],
      }),
      attachments: [await attached(deps, invoice)],
    })
  }),
})

/** Says that money has been paid at the bank: how much, where to, and when. */
const paidOut = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, payout, brand }) => {
    if (!payout || payout.sentAt === null) return { skip: 'nothing was paid' }
    const account = deps.accountOf(payout)
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `We’ve paid back ${euros(payout.amount)} for ${yours(order)}`,
        headline: 'Your money is on its way',
        number: aboutWhat(order),
        body: paragraphs(
          `We paid back ${euros(payout.amount)} by bank transfer on ${longDate(dateAt(payout.sentAt))}. It should be in your account within two banking days.`,
        ),
        button: whereToLook(deps, order),
        details: [
          ['Paid back', euros(payout.amount)],
          ['Why', payout.reason],
          // Enough to know the account by, and no more.
          ...(account ? [['To account', `… ${account.iban.slice(-4)}`] as [string, string]] : []),
          ['Paid on', longDate(dateAt(payout.sentAt))],
        ],
      }),
    )
  }),
})

const cancelled = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    // What earlier credit notes paid back has had its own email.
    const payouts = deps
      .payoutsOf(order)
      .filter(({ credit }) => credit === (invoice?.number ?? null))
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Order ${order.number} ${order.state === 'expired' ? 'has ended' : `is ${endedAs(order)}`}`,
        headline: isPaidBack(order)
          ? refundHeadline(payouts)
          : order.state === 'expired'
            ? 'Your order has ended'
            : 'Your order is cancelled',
        number: `Order ${order.number}`,
        body: paragraphs(whyCancelled(deps, order, payouts)),
        button: whereToLook(deps, order),
      }),
      ...(invoice && { attachments: [await attached(deps, invoice)] }),
    })
  }),
})

/** What a credit note takes off, and what becomes of the money. */
const credited = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice: credit, brand }) => {
    if (!credit) return { skip: 'the credit note is gone' }
    const { document } = credit
    const payouts = deps.payoutsOf(order).filter((each) => each.credit === credit.number)
    const isBack = payouts.length > 0
    const payBy = deps.payBackBy(order, credit.number)
    // Only the note of a withdrawal gives the rest new time.
    const newDue = payBy === null ? null : deps.newDueOn(order)
    const left = leftOf(deps.balanceOf(order))
    const refunded = sum(payouts.map(({ amount }) => amount))
    // A refund in Stripe's dashboard, or a dispute, comes before its credit note.
    const goneBefore = Math.min(-document.total - refunded, deps.goneBefore(order, credit.number))
    // What came twice goes back with it, and would be a riddle beside the sum of the note.
    const beyond = refunded + document.total
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Credit note ${credit.number} for ${yours(order)}`,
        preheader: `${euros(-document.total)} less.`,
        headline: isBack ? refundHeadline(payouts) : 'Your invoice has been reduced',
        number: aboutWhat(order),
        body: paragraphs(
          [
            `We’ve taken ${euros(-document.total)} off ${order.booking === null ? 'your order' : `invoice ${document.refersTo}`}. The credit note is attached.`,
            isBack
              ? [
                  ...payouts.map((payout) =>
                    refundInWords(payout, { by: payBy, isCardOver: deps.isCardOver(order) }),
                  ),
                  ...(beyond > 0
                    ? [`Of that, ${euros(beyond)} is what you had paid beyond the invoice.`]
                    : []),
                  ...(goneBefore > 0
                    ? [`Another ${euros(goneBefore)} had already gone back to you.`]
                    : []),
                ].join(' ')
              : goneBefore > 0
                ? `${goneBefore === -document.total ? 'That money' : `${euros(goneBefore)} of it`} had already gone back to you, so there’s no further refund.`
                : left > 0
                  ? `${euros(left)} is left to pay${newDue === null ? '' : ` by ${longDate(newDue)}`}.${endsUnpaid(deps, order)}`
                  : 'There’s nothing left to pay.',
          ].join('\n\n'),
        ),
        button: whereToLook(deps, order),
        details: [
          ...(document.remark ? [['Why', document.remark] as [string, string]] : []),
          ...(isBack ? [['Refunded', euros(refunded)] as [string, string]] : []),
          ['Credit note', String(credit.number)],
          ['For invoice', String(document.refersTo)],
        ],
        more: dataTable(
          ['Item', 'Quantity', 'Total'],
          [
            ...document.lines.map(({ title, quantity, total }) => [
              title,
              String(quantity),
              euros(total),
            ]),
            ['Total', '', euros(document.total)],
          ],
          { right: [1, 2], total: true },
        ),
      }),
      attachments: [await attached(deps, credit)],
    })
  }),
})

/** What was paid too much, or twice, goes back. */
const excess = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, payout, brand }) => {
    if (!payout) return { skip: 'the payout is gone' }
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Overpaid by ${euros(payout.amount)}: ${yours(order)}`,
        headline: refundHeadline([payout]),
        number: aboutWhat(order),
        body: paragraphs(`${whyExcess(order, deps.invoices)} ${refundInWords(payout)}`),
        button: whereToLook(deps, order),
        details: [['Refunded', euros(payout.amount)]],
      }),
    )
  }),
})

/** Why money goes back. */
function whyExcess(order: Order, invoices: OrderMailDeps['invoices']): string {
  const invoice = order.booking === null ? null : invoices.invoiceOf(order.id)
  if (!invoice) {
    return isOver(order)
      ? 'Your payment has arrived, but this order had ended, so you don’t owe it.'
      : 'You paid more than this order costs.'
  }
  return isOver(order)
    ? `Your payment for invoice ${invoice.number} has arrived, but we’d cancelled that invoice, so you don’t owe it.`
    : `You paid more than was due for invoice ${invoice.number}.`
}

/** What an email about a refund begins with: a gift card has its money at once. */
const refundHeadline = (payouts: readonly Payout[]): string => {
  if (payouts.length === 0) return 'Your order is refunded'
  return payouts.every(({ method }) => method === 'gift-card')
    ? 'Your refund is on your gift card'
    : 'Your refund is on its way'
}

/**
 * How money goes back, and when it is there.
 * @param options `by` is the last day for it, where that is a certain one; `isCardOver` says that the gift
 *   card that paid has ended, so nothing can be bought with it
 */
export const refundInWords = (
  { method, amount }: Payout,
  { by = null, isCardOver = false }: { by?: CivilDate | null; isCardOver?: boolean } = {},
): string =>
  method === 'gift-card'
    ? `${euros(amount)} is back on the gift card you paid with.${isCardOver ? ' That card has ended, so please reply to this email with your account number, and we’ll pay it out to you.' : ''}`
    : method === 'stripe'
      ? `We’re refunding ${euros(amount)} to the card or account you paid with. It can take 5 to 10 days to show up.`
      : `We’ll refund ${euros(amount)} by bank transfer ${by === null ? 'within 14 days' : `by ${longDate(by)}`}, to the account you paid from.`

/** What became of an order and its money, and which other one of the same cart stands. */
function whyCancelled(deps: OrderMailDeps, order: Order, payouts: readonly Payout[]): string {
  const other = replacementOf(deps, order)
  const isCardOver = deps.isCardOver(order)
  const back = payouts.map((payout) => refundInWords(payout, { isCardOver })).join(' ')
  if (order.state === 'expired') {
    return [
      'We didn’t receive payment in time, so this order has ended and there’s nothing to pay. Please don’t pay the invoice: the attached credit note cancels it.',
      back,
      'You can order again any time.',
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (isPaidBack(order)) {
    // The whole of it went before its credit note: in Stripe’s dashboard, or because of a dispute.
    if (back === '') {
      return 'What you paid has already gone back to you. The attached credit note takes the rest of the invoice back, so nothing is left to pay.'
    }
    return other === null
      ? back
      : `You placed the same order again as ${other}, and that one goes ahead, so you only pay once. ${back}`
  }
  return other === null
    ? `The order is ${endedAs(order)} and there’s nothing to pay. ${back}`.trim()
    : `Your payment for order ${other} from the same cart has arrived after all, and that order goes ahead. There’s nothing to pay for this one: please don’t pay its invoice. ${back}`.trim()
}

/** Says that the money is here and the pieces are not. */
const delayed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => {
    if (order.state !== 'attention') return { skip: `the order is now ${order.state}` }
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Your payment for order ${order.number} arrived late`,
        headline: 'Your payment arrived late',
        number: `Order ${order.number}`,
        body: paragraphs(
          'Your payment arrived after we’d released your items, and they have sold since. We’ll email you by the next working day: we can send them later or refund you in full, as you prefer.',
        ),
        button: { label: 'See your order', url: deps.successUrl(order) },
        more: linesTable(order),
      }),
    )
  }),
})

/** How an order has ended. Money that came after that may need attention, which is another email. */
const endedAs = ({ state }: Order): string => (state === 'refunded' ? state : 'cancelled')

const isPaidBack = ({ state, paidAt }: Order) => state === 'refunded' && paidAt !== null
