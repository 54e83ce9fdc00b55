import { euros } from '#shared/money.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import { mailbox } from '../../mail/message.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { dueOf, entriesOf, paymentInWords, type Order } from '../order.ts'
import {
  aboutOrder,
  linesTable,
  momentText,
  replacementOf,
  type DisputeOfOrder,
  type OrderMailDeps,
  type OrderMail,
} from './order-mail-template.ts'

/** What tells staff of an order. */
export const staffMails = (deps: OrderMailDeps) =>
  ({
    orderPlacedStaff: placed(deps),
    orderAttention: attention(deps),
    orderReplacedStaff: replaced(deps),
    orderPaidTwiceStaff: paidTwice(deps),
    orderRefundedStaff: refunded(deps),
    orderInquiryStaff: asked(deps),
    orderInquiryClosedStaff: inquiryClosed(deps),
    orderDisputedStaff: disputed(deps),
    orderDisputeWonStaff: disputeEnded(deps, {
      end: 'won',
      text: 'The buyer’s bank has decided in our favour. Stripe pays back what the bank had taken; once it has, the order counts as paid again. There’s nothing left to answer.',
    }),
    orderDisputeLostStaff: disputeEnded(deps, {
      end: 'lost',
      text: 'The buyer’s bank has decided in the buyer’s favour, so the money stays with them. Until its credit note is issued, the order waits at the desk under “Payments that went back”. Please don’t ship what hasn’t left.',
    }),
    orderRefundFailedStaff: refundFailed(deps),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

/** An order that is to be filled, and whether a robot may have sent it. */
const placed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, invoice, brand, isProven }) => ({
    to: mailbox(deps.mail.staff),
    message: {
      ...mailMessage(brand, {
        subject: `New order ${order.number}: ${euros(order.total)}`,
        headline: 'New order',
        number: `Order ${order.number}`,
        ...(!isProven && {
          body: paragraphs(
            'Spam check skipped: verify the name, address and email before shipping. To void a fake order, cancel it; its invoice is credited.',
          ),
        }),
        details: [
          ...entriesOf(order),
          [
            'Payment',
            order.giftCard === null
              ? paymentInWords(order.payment)
              : `${euros(order.giftCardAmount)} by gift card ${order.giftCard}${dueOf(order) > 0 ? `, the rest by ${paymentInWords(order.payment)}` : ''}`,
          ],
          ...(invoice ? [['Invoice', String(invoice.number)] as const] : []),
        ],
        button: openOrder(deps, order),
        more: linesTable(order),
        small: `pitlane orders show ${order.number}`,
      }),
      replyTo: { name: order.name, address: order.email },
    },
  })),
})

/** A payment whose order cannot be delivered as it is. */
const attention = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, invoice, brand }) => ({
    to: mailbox(deps.mail.staff),
    message:
      order.booking !== null
        ? mailMessage(brand, {
            subject: `Review booking ${order.booking}: a card payment that isn’t in euros`,
            headline: 'Action needed on a payment',
            number: `Order ${order.number}`,
            body: paragraphs(
              `Invoice ${invoice?.number} of booking ${order.booking} was paid by card in another currency. The payment isn’t counted, and the invoice is still open. Refund it in Stripe’s dashboard and ask the client to pay in euros.`,
            ),
            button: openOrder(deps, order),
            small: `pitlane orders show ${order.number}`,
          })
        : mailMessage(brand, {
            subject: `Review order ${order.number}: paid, but can’t be fulfilled as it is`,
            headline: 'Action needed on a payment',
            number: `Order ${order.number}`,
            body: paragraphs(
              'The payment arrived after the reservation ended and an item is sold out, or the amount doesn’t match the order. Fulfil it another way, or refund it.',
            ),
            button: openOrder(deps, order),
            more: linesTable(order),
            small: `pitlane orders refund ${order.number}`,
          }),
  })),
})

/** An order that must not be sent, since its buyer paid another one of the same cart. */
const replaced = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, invoice, brand }) => {
    const other = replacementOf(deps, order)
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `Order ${order.number} replaced by ${other}: the buyer paid that one`,
        headline: 'An order was replaced',
        number: `Order ${order.number}`,
        body: paragraphs(
          `The buyer had started paying order ${other} for the same cart, and that payment has arrived after all. Fulfil order ${other} and don’t send this one. Its invoice is cancelled${invoice ? ` by credit note ${invoice.number}` : ''}, and the buyer has been told.`,
        ),
        button: openOrder(deps, order),
        more: linesTable(order),
        small: `pitlane orders show ${order.number}`,
      }),
    }
  }),
})

/** A payment that goes back by itself. */
const paidTwice = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => {
    const other = replacementOf(deps, order)
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `Payment for order ${order.number} is being refunded`,
        headline: 'Automatic refund',
        number: `Order ${order.number}`,
        body: paragraphs(
          `${
            other
              ? `The buyer had placed the same order again as ${other}, and that one goes ahead.`
              : 'The order had been cancelled before its payment came.'
          } There’s nothing to do, and the buyer is told. If the order still needs attention tomorrow, refund it by hand.`,
        ),
        button: openOrder(deps, order),
        more: linesTable(order),
        small: `pitlane orders refund ${order.number}`,
      }),
    }
  }),
})

/** Money that someone sent back in the payment service's dashboard: its credit note is missing. */
const refunded = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, payout, brand }) => {
    if (!payout) return { skip: 'the payout is gone' }
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `${euros(payout.amount)} of order ${order.number} was refunded at Stripe`,
        headline: 'A refund needs its credit note',
        number: `Order ${order.number}`,
        body: paragraphs(
          `Someone refunded ${euros(payout.amount)} in Stripe’s dashboard. It’s recorded here; please issue the credit note. That doesn’t refund anything more.`,
        ),
        button: openOrder(deps, order),
        more: linesTable(order),
        small: `pitlane orders credit ${order.number} --line 1 --reason "…"`,
      }),
    }
  }),
})

/** A refund that came back to the payment service: its money has to go another way. */
const refundFailed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, payout, brand }) => {
    if (!payout) return { skip: 'the payout is gone' }
    const account = deps.accountOf(payout)
    const number = String(payout.id)
    return {
      to: mailbox(deps.mail.staff),
      message: mailMessage(brand, {
        subject: `A refund of ${euros(payout.amount)} for order ${order.number} failed at Stripe`,
        headline: 'A card refund has failed',
        number: `Order ${order.number}`,
        body: paragraphs(
          `The buyer’s bank sent ${euros(payout.amount)} back to Stripe, so the buyer hasn’t got it. It’s on the list of refunds to pay at the bank. ${account ? 'The account is known.' : 'Please ask the buyer for their IBAN, and enter it on the order’s page at the desk.'} The buyer gets an email once you mark it as paid.`,
        ),
        details: [
          ['Amount', euros(payout.amount)],
          ['Why', payout.reason],
          ['Payout', number],
        ],
        button: openOrder(deps, order),
        small: `pitlane orders payouts-done ${number}`,
      }),
      replyTo: { name: order.name, address: order.email },
    }
  }),
})

/** A buyer's bank asks about a payment, and has taken nothing. */
const asked = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, dispute, brand }) => ({
    to: mailbox(deps.mail.staff),
    message: mailMessage(brand, {
      subject: `A bank asks about the payment of order ${order.number}`,
      headline: 'A bank asks about a payment',
      number: `Order ${order.number}`,
      body: paragraphs(
        'The buyer’s bank wants to know more about this payment. No money has been taken: it’s an inquiry, which can become a dispute if it isn’t answered. Please answer in Stripe’s dashboard before its deadline, or refund the order in full, which ends the inquiry. Until then, don’t ship it.',
      ),
      details: disputeDetails(dispute),
      button: openOrder(deps, order),
      more: linesTable(order),
      small: `pitlane orders show ${order.number}`,
    }),
  })),
})

/** A buyer's bank asks no more. */
const inquiryClosed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => ({
    to: mailbox(deps.mail.staff),
    message: mailMessage(brand, {
      subject: `The inquiry about the payment of order ${order.number} is closed`,
      headline: 'A bank has closed its inquiry',
      number: `Order ${order.number}`,
      body: paragraphs(
        'It didn’t become a dispute, and no money was taken for it. There’s nothing left to answer.',
      ),
      button: openOrder(deps, order),
      small: `pitlane orders show ${order.number}`,
    }),
  })),
})

const disputeDetails = (dispute: DisputeOfOrder | null): [string, string][] =>
  dispute
    ? [
        ['Amount', euros(dispute.amount)],
        ...(dispute.reason === null ? [] : [['Reason', dispute.reason] as [string, string]]),
        ...(dispute.answerBy === null
          ? []
          : [['Answer by', momentText(dispute.answerBy)] as [string, string]]),
      ]
    : []

/** A buyer's bank wants money back. */
const disputed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, dispute, brand }) => ({
    to: mailbox(deps.mail.staff),
    message: mailMessage(brand, {
      subject: `The payment of order ${order.number} is disputed`,
      headline: 'A payment is disputed',
      number: `Order ${order.number}`,
      body: paragraphs(
        `${dispute?.wasInquiry ? 'The bank’s inquiry has become a dispute. ' : ''}The buyer’s bank wants the money back. Please answer in Stripe’s dashboard before its deadline, and don’t ship or refund the order meanwhile.`,
      ),
      details: disputeDetails(dispute),
      button: openOrder(deps, order),
      more: linesTable(order),
      small: `pitlane orders show ${order.number}`,
    }),
  })),
})

/** A buyer's bank has decided on a dispute. */
const disputeEnded = (
  deps: OrderMailDeps,
  { end, text }: { end: 'won' | 'lost'; text: string },
): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => ({
    to: mailbox(deps.mail.staff),
    message: mailMessage(brand, {
      subject: `The dispute about order ${order.number} is ${end}`,
      headline: `A dispute is ${end}`,
      number: `Order ${order.number}`,
      body: paragraphs(text),
      button: openOrder(deps, order),
      small: `pitlane orders show ${order.number}`,
    }),
  })),
})

/** The button to the order's page at the desk, with the right to this order alone. */
export const openOrder = ({ staffUrl }: OrderMailDeps, order: Order) => ({
  label: 'Open the order',
  url: staffUrl(order),
})
