import { termsLine } from '#shared/shop/licences.ts'
import { sum, vatTable } from '#shared/money.ts'
import type { Download, OrderView } from '#shared/shop/orders.ts'
import { pickupNote } from '#shared/shop/delivery-words.ts'
import type { CivilDate } from '#shared/dates/civil-dates.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import type { InvoiceDocument } from '../documents/invoice-document.ts'
import { licencesOf } from '../documents/licence-document.ts'
import { paidFromAbroad } from '../documents/reference-number.ts'
import { barcodeOver, barcodeSvg } from '../documents/pdf/barcode.ts'
import { chargeNames, leftOf, type Balance } from '../payment/balance.ts'
import type { Charge, Invoice, Payment, Payout } from '../schema.ts'
import { trackingUrl, type LineProgress, type SentParcel } from '../shipping/parcels.ts'
import type { TakenBackOf } from '../withdrawal/taken-back.ts'
import { addressOf, isOver, type Order } from '../order.ts'

type Details = NonNullable<OrderView['details']>

/** The whole order, for those who may see all of it. @param token opens its page and its documents */
export function orderDetails(
  order: Order,
  token: string,
  {
    invoice,
    newDueOn,
    credits,
    balance,
    charges,
    progress,
    downloads,
    takenBack,
    parcels,
    mayAskAtOnce,
    canWithdraw,
    withdrawnAt,
    withdrawn,
    pickupAt,
    payments,
    payouts,
  }: {
    invoice: Invoice | null
    /** The day that a settled withdrawal gives for the rest of it. */
    newDueOn: CivilDate | null
    credits: readonly Invoice[]
    balance: Balance
    /** What paying late has cost. */
    charges: readonly Charge[]
    /** What of its goods has left, and what still will. */
    progress: readonly LineProgress[]
    downloads: Download[]
    /** Places of lines that the buyer no longer has. */
    takenBack: ReturnType<TakenBackOf>
    parcels: readonly SentParcel[]
    /** Whether digital content waits that can be asked for at once. */
    mayAskAtOnce: boolean
    /** Whether anything that its buyer still has can be withdrawn from. */
    canWithdraw: boolean
    /** When its buyer withdrew, as long as that has not been settled. */
    withdrawnAt: number | null
    /** Pieces by line of what that is about. */
    withdrawn: ReadonlyMap<number, number>
    /** Where it is picked up; null for what is sent. */
    pickupAt: string | null
    /** What came in, and was not taken back. */
    payments: readonly Pick<Payment, 'source' | 'amount'>[]
    /** What goes back, or went. */
    payouts: readonly Pick<Payout, 'method' | 'amount' | 'failed' | 'sentAt'>[]
  },
): Details {
  return {
    placedAt: new Date(order.placedAt).toISOString(),
    name: order.name,
    company: order.company,
    email: order.email,
    lines: order.lines.map(
      ({ handle, variant, title, quantity, unit, total, discount, soldLicence }) => ({
        handle: handle ?? '',
        variant: variant ?? '',
        title,
        quantity,
        unit,
        total: total + discount,
        ...(soldLicence && { licence: termsLine(soldLicence) }),
      }),
    ),
    ...(order.discountCode !== null && {
      discount: { code: order.discountCode, amount: order.discount, problem: null },
    }),
    ...(order.giftCard !== null && {
      giftCard: { number: order.giftCard, amount: order.giftCardAmount },
    }),
    shipping: order.shipping,
    isSent: !order.pickup && order.lines.some(({ kind }) => kind === 'physical'),
    isLeft: progress.some(({ rest }) => rest > 0),
    delivery: order.lines.flatMap(({ id, title, delivery, kind }) => {
      const isPickedUp = order.pickup && kind === 'physical'
      // When it ships says nothing any more of what has left, or is ready for who picks it up.
      const hasLeft = progress.some(({ line, rest }) => line.id === id && rest === 0)
      const isReady = isPickedUp && (order.readyAt ?? order.shippedAt) !== null
      if (delivery === null || hasLeft || isReady) return []
      return [{ title, words: isPickedUp ? `${delivery} ${pickupNote}` : delivery }]
    }),
    parcels: parcels.map((parcel) => ({
      sentAt: new Date(parcel.sentAt).toISOString(),
      carrier: parcel.carrier,
      tracking: parcel.tracking,
      href: trackingUrl(parcel),
      lines: parcel.lines.flatMap(({ line, quantity }) => {
        const bought = order.lines.find(({ id }) => id === line)
        return bought ? [{ title: bought.title, quantity }] : []
      }),
    })),
    pickup: pickupAt === null ? null : { address: pickupAt, isReady: order.readyAt !== null },
    mayAskAtOnce,
    canWithdraw,
    withdrawnAt: withdrawnAt === null ? null : new Date(withdrawnAt).toISOString(),
    withdrawn: order.lines.flatMap(({ id, title }) => {
      const quantity = withdrawn.get(id) ?? 0
      return quantity > 0 ? [{ title, quantity }] : []
    }),
    onAccount: order.onAccount,
    total: order.total,
    vat: vatTable([
      ...order.lines.map(({ total, rate }) => ({ gross: total, rate })),
      ...order.shippingParts,
    ]),
    termsVersion: order.termsVersion,
    payment: order.payment,
    paid: paidByWay(payments),
    refunds: refundsByWay(payouts),
    invoice:
      invoice && invoiceView(order, token, { ...invoice, newDueOn, balance, charges, credits }),
    downloads,
    licences: isOver(order)
      ? []
      : licencesOf(order, invoice, takenBack).map(({ number, title, licence }) => ({
          number,
          title,
          terms: termsLine(licence),
          href:
            order.paidAt === null || !['paid', 'shipped'].includes(order.state)
              ? null
              : linkedPaths.licencePdf(token),
        })),
    address: order.street ? addressOf(order) : null,
  }
}

const paidNames: Readonly<Record<Exclude<Payment['source'], 'refund'>, string>> = {
  'gift-card': 'Paid by gift card',
  stripe: 'Paid by card',
  bank: 'Paid by bank transfer',
  staff: 'Paid',
}

/** What has come in, a sum for each way. */
const paidByWay = (payments: readonly Pick<Payment, 'source' | 'amount'>[]): Details['paid'] =>
  Object.entries(paidNames).flatMap(([way, name]) => {
    const amount = sum(payments.flatMap((each) => (each.source === way ? [each.amount] : [])))
    return amount > 0 ? [{ name, amount }] : []
  })

const refundNames: Readonly<Record<Payout['method'], { due: string; made: string }>> = {
  stripe: { due: 'Refund to your card, on its way', made: 'Refunded to your card' },
  bank: { due: 'Refund by bank transfer, to follow', made: 'Refunded by bank transfer' },
  'gift-card': { due: 'Refunded to your gift card', made: 'Refunded to your gift card' },
}

/** What goes back and what went, a sum for each way; what came back from a card goes by another one. */
function refundsByWay(
  payouts: readonly Pick<Payout, 'method' | 'amount' | 'failed' | 'sentAt'>[],
): Details['refunds'] {
  const sums = new Map<string, number>()
  for (const { method, amount, failed, sentAt } of payouts) {
    const name = refundNames[method][sentAt === null ? 'due' : 'made']
    sums.set(name, (sums.get(name) ?? 0) + amount - failed)
  }
  return [...sums].flatMap(([name, amount]) => (amount > 0 ? [{ name, amount }] : []))
}

/** The later one of two days; both sort as text. */
const laterOf = (a: string, b: CivilDate | null): string => (b !== null && b > a ? b : a)

/** An invoice with what it is paid by, as long as it has to be paid. */
/** What a line of a credit note takes back: pieces, a part of their price, or what sending them cost. */
function creditedLine(
  { lines }: Order,
  { title, line, quantity, isReduction }: InvoiceDocument['lines'][number],
): string {
  const arePieces = line !== null && line < lines.length && !isReduction
  return arePieces ? `${-quantity} × ${title}` : title
}

function invoiceView(
  order: Order,
  token: string,
  {
    number,
    document,
    newDueOn,
    balance,
    charges,
    credits,
  }: Invoice & {
    newDueOn: CivilDate | null
    balance: Balance
    charges: readonly Charge[]
    credits: readonly Invoice[]
  },
): Details['invoice'] {
  // What was sent before it was paid has to be paid still.
  const isOwed = order.paidAt === null && ['open', 'shipped'].includes(order.state)
  const open = leftOf(balance)
  const abroad = paidFromAbroad(document)
  const barcode = isOwed ? barcodeOver(document, open) : (document.barcode ?? '')
  return {
    number: String(number),
    reference: document.reference,
    due: laterOf(document.dueOn ?? '', isOwed ? newDueOn : null),
    open: isOwed ? open : 0,
    charges: isOwed ? charges.map(({ kind, amount }) => ({ name: chargeNames[kind], amount })) : [],
    credits: credits.map((credit) => ({
      number: String(credit.number),
      amount: -credit.total,
      lines: credit.document.lines.map((line) => creditedLine(order, line)),
    })),
    iban: isOwed ? (document.seller.iban ?? '') : '',
    abroad: isOwed ? abroad : null,
    barcode,
    barcodePicture: isOwed && barcode ? barcodeSvg(barcode) : '',
    href: linkedPaths.invoicePdf(token),
  }
}
