import * as z from 'zod'
import { civilDate, dateAt } from '#shared/dates/civil-dates.ts'
import { deskPersonPath } from '#shared/desk/people.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import type { DeskAct, DeskThing } from '#shared/desk/things.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import type { DocumentFormat } from '#shared/shop/orders.ts'
import { paths } from '#shared/paths.ts'
import type { VatCheck } from '#shared/shop/vat-check.ts'
import { apart } from '#shared/text/text.ts'
import { historyOf, mailLines, type DeskThings } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import { createSignedTokens } from '../secrets/tokens.ts'
import type { OrderActions } from './actions.ts'
import type { DocumentFiles } from './documents/document-files.ts'
import type { Pdfs } from './documents/pdf/pdfs.ts'
import { actOnCredit, creditActs, isCreditAct } from './desk-credits.ts'
import { amountOf, correctPayment, correctPaymentAct, paymentLines } from './desk-payments.ts'
import {
  addressAct,
  boughtLines,
  chosenPieces,
  mayLeave,
  packingDoubt,
  parcelLines,
  pickupFacts,
  shippingActs,
} from './desk-shipping.ts'
import { actOnRefund, isRefundAct, refundActs, refundLine } from './desk-refunds.ts'
import {
  actOnWithdrawal,
  isWithdrawalAct,
  withdrawalActs,
  withdrawalParts,
} from './desk-withdrawals.ts'
import { dueOf, entriesOf, paymentInWords, type Order } from './order.ts'
import { leftOf } from './payment/balance.ts'
import type { OrderStore } from './store.ts'

/** Days for which a link in staff's email works once its order is settled. */
const staffLinkDays = 30

/** States after which nothing is left to do. */
const settled: readonly Order['state'][] = ['shipped', 'cancelled', 'refunded', 'expired']

/** The page of an order at the desk, and the links in staff's emails that open it. */
export type OrderAtDesk = DeskThings & {
  /** The page of an order for staff, absolute, with the right to this order alone. */
  staffUrl(order: Order): string
  /** See `DeskSource.linkTarget`. */
  linkTarget(token: string): string | null
}

/** Makes the page: facts, lines, documents and emails, and what can be done in the order's state. */
export function orderAtDesk(
  { keys, clock, config, mails, timeline }: Platform,
  {
    orders,
    actions,
    documents,
    pdfs,
  }: {
    orders: OrderStore
    actions: OrderActions
    documents: DocumentFiles
    pdfs: Pick<Pdfs, 'licences' | 'packing'>
  },
): OrderAtDesk {
  const tokens = createSignedTokens({
    keys,
    clock,
    purpose: 'order-staff',
    schema: z.tuple([z.string()]),
  })

  const ofToken = (token: string): Order | null => {
    const secret = tokens.read(token)?.payload[0]
    return secret === undefined ? null : orders.findSecret(secret)
  }

  const actsOf = (order: Order): DeskAct[] => {
    const { state } = order
    const balance = actions.balanceOf(order)
    const { open, charges } = balance
    const left = leftOf(balance)
    const packed = actions.toPackOf(order)
    const withdrawn = packed?.withdrawn ?? 0
    const gone = packed?.gone ?? 0
    const acts: (DeskAct | false)[] = [
      state === 'waiting' && {
        act: 'accept',
        label: 'Accept the order',
        hint: 'Reserves the stock, issues the invoice and emails the buyer.',
        fields: [],
      },
      ['open', 'shipped', 'paid'].includes(state) &&
        left > 0 && {
          act: 'paid',
          label: 'Record a payment',
          hint: `${euros(left)} is open${charges > 0 ? `, ${euros(charges)} of it for paying late` : ''}. Use this for money you have seen in the bank account.`,
          fields: [
            { name: 'amount', label: 'Amount', kind: 'number', value: (left / 100).toFixed(2) },
            { name: 'on', label: 'Paid on', kind: 'date', value: dateAt(clock()) },
            {
              name: 'note',
              label: 'Payment reference',
              kind: 'text',
              hint: 'The same reference counts only once.',
            },
          ],
        },
      ...shippingActs(order, { withdrawn, gone }, actions.progressOf(order)).map((act) =>
        gone > 0
          ? {
              ...act,
              hint: `${euros(gone)} of the payment went back: see the history before anything leaves. ${act.hint ?? ''}`.trim(),
            }
          : act,
      ),
      actions.canMove(order) && addressAct(order),
      ...withdrawalActs(actions.withdrawals.ofOrder(order)),
      ...refundActs(actions.payoutsOf(order), actions.accountOf),
      correctPaymentAct(actions.correctable(order)),
      open < 0 && {
        act: 'pay-back',
        label: `Pay back ${euros(-open)}`,
        hint: 'The overpayment goes on the payout list, or back through Stripe.',
        fields: [],
      },
      ...creditActs(actions.creditableOf(order)),
      ['paid', 'shipped', 'attention'].includes(state) && {
        act: 'refund',
        label: 'Refund everything',
        hint: `Issues a credit note for the whole order; ${refundWords(order)}.`,
        isDanger: true,
        fields: [],
      },
      ['waiting', 'pending', 'open'].includes(state) && {
        act: 'cancel',
        label: 'Cancel the order',
        hint: [
          'Puts the pieces back in stock, credits the invoice and emails the buyer.',
          ...(actions.waysBack(order).length > 0 ? [`${refundWords(order)}.`] : []),
        ].join(' '),
        isDanger: true,
        fields: [],
      },
    ]
    return acts.filter((act) => act !== false)
  }

  /** Where the money of an order goes back to. */
  const refundWords = (order: Order): string => {
    const ways = actions.waysBack(order)
    if (ways.length === 0) return 'what was paid went back before'
    return ways
      .map(({ method, amount }) =>
        method === 'gift-card'
          ? `${euros(amount)} goes back on the gift card`
          : `${euros(amount)} is refunded to the buyer${method === 'stripe' ? ' through Stripe' : ', which you pay at the bank'}`,
      )
      .join('; ')
  }

  /** What can be fetched: each document for people and for programs, licences, the packing slip. */
  const documentLines = (order: Order): DeskLine[] => {
    const line = (label: string, title: string, file: string, detail: string): DeskLine => ({
      label,
      title,
      detail,
      urgent: false,
      at: null,
      href: linkedPaths.deskFile('orders', order.number, file),
    })
    const licences = actions.licencesOf(order)
    return [
      ...actions.invoices
        .ofOrder(order.id)
        .flatMap(({ number, kind, total: sum, dueOn, issuedOn }) => {
          const label = kind === 'credit' ? 'Credit note' : 'Invoice'
          const due = kind === 'invoice' && dueOn !== null && `due ${longDate(dueOn)}`
          const detail = [euros(sum), longDate(issuedOn), due].filter(Boolean).join(' · ')
          const name = `${kind === 'credit' ? 'credit-note' : 'invoice'}-${number}`
          return [
            line(label, String(number), `${name}.pdf`, detail),
            line(label, `${number} as Finvoice 3.0`, `${name}.finvoice.xml`, 'for programs'),
            line(label, `${number} as UBL (EN 16931)`, `${name}.ubl.xml`, 'for programs'),
          ]
        }),
      ...(licences.length > 0
        ? [
            line(
              'Licence',
              licences.map(({ number }) => number).join(', '),
              `licence-${order.number}.pdf`,
              licences.length === 1 ? 'a page' : `${licences.length} pages`,
            ),
          ]
        : []),
      ...packingLine(order),
    ]
  }

  const packingLine = (order: Order): DeskLine[] => {
    if (!isToPack(order)) return []
    const packed = actions.toPackOf(order)
    const doubt = packed && packingDoubt(packed)
    return [
      {
        label: 'Packing slip',
        title: order.number,
        detail: doubt ?? 'for the parcel',
        urgent: Boolean(doubt),
        at: null,
        href: linkedPaths.deskFile('orders', order.number, `packing-${order.number}.pdf`),
      },
    ]
  }

  const isToPack = (order: Order): boolean =>
    mayLeave(order) && actions.progressOf(order).some(({ rest }) => rest > 0)

  const shown = (order: Order): DeskThing => {
    const { number, state, payment, placedAt, total, booking, vatCheck } = order
    const { paid, credited, open, charges } = actions.balanceOf(order)
    const invoice = actions.invoiceOf(order)
    const buyerPage = new URL(actions.successUrl(order))
    const payouts = actions.payoutsOf(order)
    return {
      label: `Order ${number}`,
      title: `${apart(order.company ?? order.name)}, ${euros(total)}`,
      facts: [
        { name: 'State', text: state },
        { name: 'Placed', text: officeTime(placedAt) },
        ...(order.giftCard === null
          ? []
          : [
              {
                name: 'Gift card',
                text: `${euros(order.giftCardAmount)} by ${order.giftCard}`,
              },
            ]),
        ...(dueOf(order) === 0 ? [] : [{ name: 'Payment', text: paymentInWords(payment) }]),
        ...(order.discountCode === null
          ? []
          : [{ name: 'Discount', text: `${euros(order.discount)} by code ${order.discountCode}` }]),
        { name: 'Total', text: euros(total) },
        ...(credited > 0 ? [{ name: 'Credited', text: euros(credited) }] : []),
        // The buyer’s page names what came in and what goes back each for itself.
        { name: payouts.length > 0 ? 'Paid, less refunds' : 'Paid', text: euros(paid) },
        ...(open === 0
          ? []
          : [{ name: open > 0 ? 'Open' : 'Overpaid', text: euros(Math.abs(open)) }]),
        ...(charges > 0 ? [{ name: 'Open for paying late', text: euros(charges) }] : []),
        ...(invoice?.reference ? [{ name: 'Reference number', text: invoice.reference }] : []),
        ...entriesOf(order).map(([name, text]) => ({
          name,
          text,
          href: name === 'Email' ? deskPersonPath(text) : null,
        })),
        ...pickupFacts(order),
        ...(vatCheck ? [{ name: 'VIES', text: viesInWords(order, vatCheck) }] : []),
        ...(booking === null
          ? []
          : [{ name: 'Booking', text: booking, href: paths.deskThing('bookings', booking) }]),
        {
          name: 'Buyer’s page',
          text: 'Open as the buyer',
          href: buyerPage.pathname + buyerPage.search,
        },
      ],
      parts: [
        {
          title: 'Lines',
          lines: boughtLines(order, actions.progressOf(order)),
        },
        {
          title: order.pickup ? 'Handed over' : 'Parcels',
          lines: parcelLines(order, actions.parcelsOf(order)),
        },
        { title: 'Withdrawals', lines: withdrawalParts(actions.withdrawals.ofOrder(order)) },
        {
          title: 'Documents',
          lines: documentLines(order),
        },
        { title: 'Payments', lines: paymentLines(order, orders) },
        { title: 'Refunds', lines: payouts.map(refundLine) },
        { title: 'Emails', lines: mailLines(mails.of('order', number)) },
      ],
      acts: actsOf(order),
      history: historyOf(timeline, 'order', number),
    }
  }

  const actOn = async (
    number: string,
    act: string,
    entries: Entries,
    by: string,
  ): Promise<void> => {
    switch (act) {
      case 'ship':
        await actions.ship(number, {
          actor: by,
          carrier: entries.carrier?.trim() || undefined,
          tracking: entries.tracking?.trim() || undefined,
          lines: chosenPieces(entries),
          despiteWithdrawal: entries.despiteWithdrawal === 'on',
          despiteLostPayment: entries.despiteLostPayment === 'on',
        })
        return
      case 'address':
        await actions.changeAddress(
          number,
          {
            street: entries.street,
            street2: entries.street2,
            postcode: entries.postcode,
            city: entries.city,
            state: entries.state,
            phone: entries.phone,
          },
          by,
        )
        return
      case 'accept':
      case 'ready':
      case 'cancel':
      case 'refund':
        await actions[act](number, by)
        return
      case 'pay-back':
        await actions.payBackExcess(number, by)
        return
      case 'correct-payment':
        await correctPayment(number, entries, { actions, by })
        return
      case 'paid':
        await actions.paid(number, {
          ...(entries.amount?.trim() && { amount: amountOf(entries, 'amount') }),
          ...(entries.on && { paidOn: dayOf(entries, 'on') }),
          ...(entries.note?.trim() && { note: entries.note.trim() }),
          actor: by,
        })
        return
      default:
        throw failure('invalid', { message: `An order has no ${act}.` })
    }
  }

  return {
    name: 'orders',
    find(id) {
      const order = actions.ofNumber(id)
      return order && shown(order)
    },
    async file(id, file) {
      const order = actions.ofNumber(id)
      if (!order) return null
      if (file === `licence-${order.number}.pdf`) {
        const licences = actions.licencesOf(order)
        if (licences.length === 0) return null
        return {
          name: file,
          contentType: 'application/pdf',
          content: await pdfs.licences(licences),
        }
      }
      if (file === `packing-${order.number}.pdf`) {
        if (!isToPack(order)) return null
        const content = await pdfs.packing([actions.slip(order.number)], dateAt(clock()))
        return { name: file, contentType: 'application/pdf', content }
      }
      const [, kind, number, format] =
        /^(invoice|credit-note)-(\d{1,12})\.(pdf|finvoice\.xml|ubl\.xml)$/.exec(file) ?? []
      const found = actions.invoices
        .ofOrder(order.id)
        .find(
          (each) =>
            String(each.number) === number && (each.kind === 'credit') === (kind === 'credit-note'),
        )
      if (!found || format === undefined) return null
      return documents.write(found, order, format.replace('.xml', '') as DocumentFormat)
    },
    act(id, act, entries, by) {
      const order = actions.ofNumber(id)
      if (order && isWithdrawalAct(act)) {
        const cases = actions.withdrawals.ofOrder(order)
        return actOnWithdrawal(act, entries, { cases, withdrawals: actions.withdrawals, by })
      }
      if (order && isRefundAct(act)) {
        const payouts = actions.payoutsOf(order)
        return actOnRefund(act, entries, { payouts, actions, by })
      }
      if (order && isCreditAct(act)) {
        const left = actions.creditableOf(order)
        return actOnCredit(act, entries, { number: order.number, left, actions, by })
      }
      return actOn(order?.number ?? id, act, entries, by)
    },
    ofLink(token) {
      const order = ofToken(token)
      if (!order) return null
      if (settled.includes(order.state) && clock() >= order.changedAt + staffLinkDays * dayMs) {
        throw failure('gone', {
          message: `Order ${order.number} was settled more than ${staffLinkDays} days ago, so this link has expired. Staff open it at the desk.`,
        })
      }
      return order.number
    },
    staffUrl: (order) =>
      config.siteUrl + paths.deskLink(tokens.issue([orders.secretOf(order)], null)),
    linkTarget: (token) => (ofToken(token) ? paths.deskThing('orders', token) : null),
  }
}

/** What VIES said of the VAT ID of an order, and what follows from it. */
function viesInWords(
  { booking }: Pick<Order, 'booking'>,
  { state, at, consultation }: VatCheck,
): string {
  const day = longDate(dateAt(at))
  if (state === 'yes') {
    return [`Lists it (${day})`, consultation && `consultation ${consultation}`]
      .filter(Boolean)
      .join(', ')
  }
  if (state === 'no') return `Doesn’t list it (${day}): VAT is charged, and invoices leave it out`
  const said = `Didn’t respond (${day}), so Finnish VAT is charged`
  // An invoice is changed by its credit note alone, and a booking asks VIES by itself.
  return booking === null
    ? `${said}. For an invoice without VAT, cancel or refund the order once VIES responds, and have it ordered again`
    : said
}

/** @throws invalid for what isn't a day */
function dayOf(entries: Entries, name: string): string {
  const day = civilDate(entries[name] ?? '')
  if (day !== null) return day
  const message = 'Please enter a day'
  throw failure('invalid', { message, errors: { [name]: message } })
}
