import { longDate } from '#shared/dates/date-format.ts'
import * as z from 'zod'
import { dateAt, timeAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { termsLine } from '#shared/shop/licences.ts'
import { euros, vatText } from '#shared/money.ts'
import { barcodeOver } from '../documents/pdf/barcode.ts'
import { paths } from '#shared/paths.ts'
import { dataTable } from '../../mail/tables.ts'
import { mailbox, type Attachment, type Brand, type Message } from '../../mail/message.ts'
import type { Mail } from '../../mail/schema.ts'
import type { MailTemplate, Rendered } from '../../mail/template.ts'
import type { Invoices } from '../documents/invoices.ts'
import { paidFromAbroad } from '../documents/reference-number.ts'
import type { Balance } from '../payment/balance.ts'
import type { Charge, Invoice, Payout } from '../schema.ts'
import { paidLicences, type LicenceDocument } from '../documents/licence-document.ts'
import { html, type Markup } from '../../text/markup.ts'
import type { Order, OrderLine } from '../order.ts'
import type { Seller } from '../documents/invoice-document.ts'
import type { LineProgress, SentParcel } from '../shipping/parcels.ts'
import type { LinePictures } from './line-pictures.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import type { OrderStore } from '../store.ts'
import type { TakenBackOf } from '../withdrawal/taken-back.ts'
import type { WithdrawalCase } from '../withdrawal/withdrawal-cases.ts'

/** The emails about orders; those whose names end so go to staff, and the one that asks for attention. */
export type OrderMail =
  | 'orderConfirmed'
  | 'orderPaid'
  | 'orderPaymentTakenBack'
  | 'orderInvoiceReminder'
  | 'orderSecondReminder'
  | 'orderPaidOut'
  | 'orderShipped'
  | 'orderReady'
  | 'orderAddress'
  | 'orderAtOnce'
  | 'orderCancelled'
  | 'orderCredited'
  | 'orderExcess'
  | 'orderDelayed'
  | 'orderCode'
  | 'orderWaiting'
  | 'orderWithdrawal'
  | 'bookingInvoice'
  | 'bookingCredit'
  | 'orderPlacedStaff'
  | 'orderAttention'
  | 'orderReplacedStaff'
  | 'orderPaidTwiceStaff'
  | 'orderRefundedStaff'
  | 'orderInquiryStaff'
  | 'orderInquiryClosedStaff'
  | 'orderDisputedStaff'
  | 'orderDisputeWonStaff'
  | 'orderDisputeLostStaff'
  | 'orderRefundFailedStaff'
  | 'orderWithdrawalStaff'
  | 'bookingPaidBackStaff'
  | 'orderWithdrawalDueStaff'

const disputeSchema = z.object({
  /** Its name at Stripe; of one from before it was noted it is empty. */
  id: z.string().default(''),
  /** Cents of the order. */
  amount: z.number(),
  reason: z.string().nullable().default(null),
  /** Milliseconds; null where that isn't known. */
  answerBy: z.number().nullable().default(null),
  wasInquiry: z.boolean().default(false),
})

/** What the buyer's bank wants back of an order, or asks about. */
export type DisputeOfOrder = z.infer<typeof disputeSchema>

/** A moment as staff read it, in Helsinki: 5 December 2026, 23:59. @param at milliseconds of the epoch */
export const momentText = (at: number): string => `${longDate(dateAt(at))}, ${timeAt(at)}`

/** What an email about an order is rendered from. */
export const dataSchema = z.object({
  order: z.optional(z.string()),
  invoice: z.optional(z.nullable(z.number())),
  /** What opens an order, sealed. */
  code: z.optional(z.string()),
  to: z.optional(z.string()),
  /** Money on its way back. */
  payout: z.optional(z.number()),
  /** Cents of what was paid that stay, since they pay for something else. */
  kept: z.optional(z.number()),
  keptFor: z.optional(z.literal('travel')),
  dispute: z.optional(disputeSchema),
  /** Whether an order came with the answer to its form's sum; left out where no sum is asked for. */
  isProven: z.optional(z.boolean()),
  /** What has left. */
  parcel: z.optional(z.number()),
  /** Pieces of it that its buyer had withdrawn from. */
  withdrawn: z.optional(z.number()),
  /** A withdrawal that staff have to deal with. */
  case: z.optional(z.number()),
  withdrawal: z.optional(
    z.object({
      id: z.optional(z.number()),
      order: z.string(),
      name: z.string(),
      email: z.string(),
      at: z.number(),
      /** Whether it is about an order of this mailbox. */
      isKnown: z.optional(z.boolean()),
    }),
  ),
})

/** What the templates are made from. */
export type OrderMailDeps = {
  orders: Pick<OrderStore, 'find' | 'findId'>
  invoices: Pick<Invoices, 'find' | 'invoiceOf'>
  mail: { staff: string }
  unseal: Keys['unseal']
  /** What an order still lacks, and what was paid. */
  balanceOf: (order: Order) => Balance
  /** Cents that had gone back to a buyer before a credit note, and that no earlier one was about. */
  goneBefore: (order: Order, credit: number) => number
  /** Cents that were paid for an order in money, not by gift card. */
  paidInMoney: (order: Order) => number
  /** The day on which the money that paid an order was with us; null while it isn't paid. */
  paidOn: (order: Order) => CivilDate | null
  isWithdrawn: (order: Order) => boolean
  /** Which lines of an order its buyer no longer has. */
  takenBackOf: TakenBackOf
  /** What an order is charged for being late. */
  chargesOf: (order: Order) => readonly Charge[]
  /** The yearly rate of late interest that it pays today, in per cent. */
  lateRateOf: (order: Order) => number | null
  /** When the booking of an order was agreed on, in milliseconds; null once it can't be withdrawn from. */
  withdrawableSince: (order: Order) => number | null
  /** A withdrawal with its lines. @throws missing */
  withdrawalOf: (id: number) => WithdrawalCase
  /** The last day for paying back what a credit note of a withdrawal takes off; null for every other one. */
  payBackBy: (order: Order, credit: number) => CivilDate | null
  /** By when the rest of an invoice is to be paid after a settled withdrawal; null without one. */
  newDueOn: (order: Order) => CivilDate | null
  parcelsOf: (order: Order) => readonly SentParcel[]
  awaitedOf: (order: Order) => readonly LineProgress[]
  seller: () => Promise<Seller>
  payoutOf: (id: number) => Payout | null
  /** Where a payout goes; null where that is not known. */
  accountOf: (payout: Payout) => { readonly iban: string } | null
  payoutsOf: (order: Order) => readonly Payout[]
  /** The PDF of a document. */
  pdf: (invoice: Invoice) => Promise<Buffer>
  /** The PDF of licences. */
  licences: (licences: readonly LicenceDocument[]) => Promise<Buffer>
  /** The terms of service that an order was placed on; those in force where its version isn't kept. */
  terms: (order: Order) => Promise<{ version: string; attachment: Attachment }>
  successUrl: (order: Order) => string
  /** The page of a booking for its client, absolute; null for one that is gone. */
  bookingUrl: (reference: string) => string | null
  /** Cents of an order that can be paid by card now. */
  payable: (order: Order) => number
  /** The page of an order for staff. */
  staffUrl: (order: Order) => string
  /** Whether the gift card that paid for an order has been ended since. */
  isCardOver: (order: Order) => boolean
  /** The pictures of its products. */
  picturesOf: (order: Order) => Promise<LinePictures>
  /**
   * The link that lets a waiting order on, absolute, and when it ends (milliseconds of the epoch); null for
   * one that waits no longer.
   */
  waitingLink: (order: Order) => { url: string; until: number } | null
}

/** What a template is about. */
type Found = {
  order: Order
  invoice: Invoice | null
  payout: Payout | null
  kept: number
  /** What it is kept for, if not for a cancellation fee. */
  keptFor: 'travel' | undefined
  dispute: DisputeOfOrder | null
  parcel: SentParcel | null
  /** Pieces of that parcel that its buyer had withdrawn from. */
  withdrawn: number
  brand: Brand
  isProven: boolean
}

/** Makes a template of an order as it is when the email goes out. */
export const aboutOrder =
  (
    { orders, invoices, payoutOf, parcelsOf, mail }: OrderMailDeps,
    write: (found: Found) => Promise<Rendered> | Rendered,
  ): MailTemplate['render'] =>
  async (row: Mail, brand: Brand) => {
    const data = dataSchema.parse(JSON.parse(row.data ?? '{}'))
    const order = data.order === undefined ? null : orders.find(data.order)
    if (!order) return { skip: 'the order is gone' }
    const invoice = data.invoice ? invoices.find(data.invoice) : null
    const payout = data.payout === undefined ? null : payoutOf(data.payout)
    const { dispute = null, isProven = true, kept = 0, withdrawn = 0, keptFor } = data
    const parcel = parcelsOf(order).find(({ id }) => id === data.parcel) ?? null
    const what = { order, invoice, payout, dispute, parcel, brand }
    const found = { ...what, kept, keptFor, withdrawn, isProven }
    const rendered = await write(found)
    if ('skip' in rendered) return rendered
    // Who answers an invoice means us, not the address that the site sends from.
    return { ...rendered, message: { replyTo: mailbox(mail.staff), ...rendered.message } }
  }

/** The number of the order that took the place of another one; null for none. */
export const replacementOf = ({ orders }: OrderMailDeps, { replacedBy }: Order): string | null =>
  replacedBy === null ? null : (orders.findId(replacedBy)?.number ?? null)

/** A document as an attachment. */
export const attached = async ({ pdf }: OrderMailDeps, invoice: Invoice): Promise<Attachment> => ({
  filename: `${invoice.kind === 'credit' ? 'credit-note' : 'invoice'}-${invoice.number}.pdf`,
  contentType: 'application/pdf',
  content: await pdf(invoice),
})

/** Which terms apply to an order, and where they are; `terms` are those attached. */
export function termsNote(
  { termsVersion }: Pick<Order, 'termsVersion'>,
  { version }: { version: string },
  { siteUrl }: Pick<Brand, 'siteUrl'>,
): Markup {
  const url = siteUrl + paths.termsPdf(version)
  return version === termsVersion
    ? html`The terms of service, version ${version}, are attached and also
        <a href="${url}">on our site</a>.`
    : html`You agreed to version ${termsVersion} of the terms of service. Those in force now,
        version ${version}, are attached and also <a href="${url}">on our site</a>.`
}

/** The licences of a paid order; none where it has none. */
export const licencesOfOrder = (
  { invoices, takenBackOf }: OrderMailDeps,
  order: Order,
): LicenceDocument[] => paidLicences(order, { invoiceOf: invoices.invoiceOf, takenBackOf })

/** The licences of a paid order as an attachment; none where it has none. */
export async function licencesAttached(deps: OrderMailDeps, order: Order): Promise<Attachment[]> {
  const licences = licencesOfOrder(deps, order)
  if (licences.length === 0) return []
  return [
    {
      filename: `licence-${order.number}.pdf`,
      contentType: 'application/pdf',
      content: await deps.licences(licences),
    },
  ]
}

/**
 * How an invoice is paid.
 * @param open cents that are left to pay
 * @param others what is to be paid with it, ahead of the sum
 */
export const paymentFacts = (
  { document }: Invoice,
  open: number = document.total,
  others: readonly (readonly [string, string])[] = [],
): [string, string][] => [
  ['Total', euros(document.total)],
  ...others.map(([label, value]): [string, string] => [label, value]),
  ...(open === document.total ? [] : [['Still to pay', euros(open)] as [string, string]]),
  ...(document.dueOn ? [['Due', longDate(document.dueOn)] as [string, string]] : []),
  ...(document.paid || !document.seller.iban
    ? []
    : ([['IBAN', groups(document.seller.iban)], ...referenceFacts(document, open)] as [
        string,
        string,
      ][])),
]

/** By what a bank finds the invoice. @param open cents */
function referenceFacts(document: Invoice['document'], open: number): [string, string][] {
  const abroad = paidFromAbroad(document)
  if (abroad) {
    return [
      ...(abroad.bic ? [['BIC', abroad.bic] as [string, string]] : []),
      ['International reference', abroad.reference],
    ]
  }
  return [
    ['Reference', document.reference],
    ...(document.barcode
      ? [['Virtual barcode', barcodeOver(document, open)] as [string, string]]
      : []),
  ]
}

/** A rate that no narrow column breaks. */
const vatWords = (rate: Parameters<typeof vatText>[0]) => vatText(rate).replaceAll(' ', '\u00a0')

/** An IBAN in groups of four, as it is read. */
const groups = (iban: string) =>
  iban
    .replaceAll(/\s/g, '')
    .replaceAll(/(.{4})/g, '$1 ')
    .trim()

/** The name of a line, below its picture where there is one. */
const itemOf = (line: OrderLine, name: string, pictures: LinePictures): string | Markup => {
  const picture = pictures.get(line)
  return picture ? html`${picture}${name}` : name
}

/** What was ordered, as a table. @param pictures of its products, in emails to buyers */
export const linesTable = (order: Order, pictures: LinePictures = new Map()) =>
  dataTable(
    ['Item', 'Quantity', 'VAT', 'Total'],
    [
      ...order.lines.map((line) => {
        const { title, quantity, rate, soldLicence } = line
        const total = line.total + line.discount
        const name = soldLicence ? `${title}. ${termsLine(soldLicence)}` : title
        return [itemOf(line, name, pictures), String(quantity), vatWords(rate), euros(total)]
      }),
      ...(order.discountCode === null
        ? []
        : [[`Discount code ${order.discountCode}`, '', '', euros(-order.discount)]]),
      ...order.shippingParts.map(({ rate, gross }) => [
        'Shipping',
        '1',
        vatWords(rate),
        euros(gross),
      ]),
      ['Total', '', '', euros(order.total)],
    ],
    { right: [1, 2, 3], total: true },
  )

/** What is in a parcel: goods, neither files nor services nor sums. */
export const parcelTable = (
  order: Order,
  { lines }: Pick<SentParcel, 'lines'>,
  pictures: LinePictures,
) =>
  dataTable(
    ['Item', 'Quantity'],
    lines.flatMap(({ line: id, quantity }) => {
      const line = order.lines.find((each) => each.id === id)
      return line === undefined ? [] : [[itemOf(line, line.title, pictures), String(quantity)]]
    }),
    { right: [1] },
  )

/** A message to the buyer of an order. */
export const toBuyer = (order: Order, message: Message): Rendered => ({
  to: { name: '', address: order.email },
  message,
})
