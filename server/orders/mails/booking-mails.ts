import { euros } from '#shared/money.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import { mailbox } from '../../mail/message.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { payByCard, refundInWords } from './payment-mails.ts'
import { openOrder } from './staff-mails.ts'
import { withdrawalForm } from '../withdrawal/right.ts'
import {
  aboutOrder,
  attached,
  linesTable,
  paymentFacts,
  termsNote,
  toBuyer,
  type OrderMail,
  type OrderMailDeps,
} from './order-mail-template.ts'

/** What a customer is told of the money of a booking. */
export const bookingMoneyMails = (deps: OrderMailDeps) =>
  ({
    bookingInvoice: invoiced(deps),
    bookingCredit: credited(deps),
    bookingPaidBackStaff: paidBack(deps),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

const invoiced = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    if (!invoice) return { skip: 'the invoice is gone' }
    const { open, paid, credited: off } = deps.balanceOf(order)
    // Whether a part of it had been paid or not, there's nothing left of it.
    if (off >= order.total) return { skip: 'it has been credited since' }
    const isPaid = open <= 0
    const since = deps.withdrawableSince(order)
    const bookingUrl = order.booking && deps.bookingUrl(order.booking)
    const terms = await deps.terms(order)
    const isByCard = bookingUrl !== null && deps.payable(order) > 0
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Invoice ${invoice.number} for booking ${order.booking}`,
        preheader: isPaid ? 'It’s covered by what you’ve paid.' : 'The invoice is attached.',
        headline: `Invoice ${invoice.number}`,
        number: `Booking ${order.booking}`,
        body: paragraphs(
          isPaid
            ? 'Here’s the invoice for your records. It’s covered by what you’ve already paid, so there’s nothing left to pay.'
            : `${
                open < order.total
                  ? `Here’s the invoice. ${whatCovers(paid, off)} Please pay the remaining ${euros(open)}`
                  : 'Here’s the invoice for your booking. Please pay it'
              } by its due date${
                isByCard
                  ? ': by card on the page of your booking, or by bank transfer with its reference number.'
                  : ' with its reference number.'
              }`,
        ),
        button: isByCard
          ? payByCard(bookingUrl)
          : { label: 'See the invoice', url: deps.successUrl(order) },
        details: isPaid ? [] : paymentFacts(invoice, open),
        more: [
          linesTable(order),
          ...(since === null ? [] : paragraphs(withdrawalForm(order, brand, since))),
        ],
        small: termsNote(order, terms, brand),
      }),
      attachments: [await attached(deps, invoice), terms.attachment],
    })
  }),
})

/** Why less than the total of an invoice is open: a credit note is no payment. Cents. */
const whatCovers = (paid: number, off: number): string =>
  [
    ...(paid > 0 ? [`What you’ve already paid covers ${euros(paid)} of it.`] : []),
    ...(off > 0 ? [`We’ve taken ${euros(off)} off it since.`] : []),
  ].join(' ')

const credited = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, kept, keptFor, brand }) => {
    if (!invoice) return { skip: 'the credit note is gone' }
    const was = invoice.document.refersTo
    // What came by card and by transfer goes back by both.
    const payouts = deps.payoutsOf(order).filter((each) => each.credit === invoice.number)
    const becomes = [
      ...(kept > 0
        ? [
            `${euros(kept)} of what you paid goes towards ${keptFor === 'travel' ? 'the travel costs' : 'the cancellation fee'}.`,
          ]
        : []),
      ...payouts.map((payout) => refundInWords(payout)),
    ]
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Credit note ${invoice.number} for invoice ${was}`,
        preheader: becomes[0] ?? `You don’t need to pay invoice ${was}.`,
        headline: `Invoice ${was} is cancelled`,
        number: `Booking ${order.booking}`,
        body: paragraphs(
          `The attached credit note cancels invoice ${was}. ${becomes.join(' ') || 'Please don’t pay it.'}`,
        ),
      }),
      attachments: [await attached(deps, invoice)],
    })
  }),
})

/** To staff: a card payment that wasn't owed any more goes back by itself. */
const paidBack = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, payout, brand }) => {
    if (!payout) return { skip: 'the payout is gone' }
    const way =
      payout.method === 'stripe'
        ? 'It’s refunded to the card automatically, so there’s nothing to do.'
        : 'It’s on the list of refunds to pay at the bank.'
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `${euros(payout.amount)} is being refunded: booking ${order.booking}, ${payout.reason}`,
        headline: 'A payment is being refunded',
        number: `Booking ${order.booking}`,
        body: paragraphs(
          `${euros(payout.amount)} came in by card for order ${order.number}, ${payout.reason}. ${way} The client has been told.`,
        ),
        button: openOrder(deps, order),
        small: `pitlane orders payouts --all`,
      }),
    }
  }),
})
