import { longDate } from '#shared/dates/date-format.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { euros } from '#shared/money.ts'
import { pickupNote } from '#shared/shop/delivery-words.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { html, type Markup } from '../../text/markup.ts'
import { dataTable } from '../../mail/tables.ts'
import { boxedLast, mailMessage, paragraphs } from '../../mail/layout.ts'
import type { MailTemplate } from '../../mail/template.ts'
import {
  aboutOrder,
  attached,
  licencesAttached,
  dataSchema,
  linesTable,
  parcelTable,
  paymentFacts,
  termsNote,
  toBuyer,
  type OrderMailDeps,
  type OrderMail,
} from './order-mail-template.ts'
import { printedLine } from '../documents/printed-line.ts'
import { addressOf, dueOf, isOver, type Order } from '../order.ts'
import type { Invoice } from '../schema.ts'
import { trackingUrl, type SentParcel } from '../shipping/parcels.ts'
import {
  downloadsOpenOn,
  exemptionOf,
  hasWithdrawal,
  isBusinessOrder,
  isDeliverable,
  withdrawalForm,
} from '../withdrawal/right.ts'

/** What a buyer is told of the order itself; of its money, see `payment-mails.ts`. */
export const buyerMails = (deps: OrderMailDeps) =>
  ({
    orderConfirmed: confirmed(deps),
    orderShipped: shipped(deps),
    orderReady: ready(deps),
    orderAddress: movedTo(deps),
    orderAtOnce: atOnce(deps),
    orderCode: openingCode(deps),
    orderWaiting: waiting(deps),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

/** The durable medium: order, terms, withdrawal and invoice. */
const confirmed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    const terms = await deps.terms(order)
    const paysByInvoice = order.payment === 'invoice' && dueOf(order) > 0
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Your order ${order.number}`,
        preheader: paysByInvoice
          ? 'The invoice is attached.'
          : dueOf(order) === 0
            ? 'Your gift card has paid for it.'
            : 'Thank you, your payment has arrived.',
        headline: 'Thank you for your order',
        number: `Order ${order.number}`,
        next: nextSteps(order),
        button: { label: 'See your order', url: deps.successUrl(order) },
        details: invoice ? confirmedFacts(invoice) : [],
        more: [
          linesTable(order, await deps.picturesOf(order)),
          ...deliveryFacts(order),
          ...(isBusinessOrder(order) ? [] : boxedLast(paragraphs(withdrawalForm(order, brand)))),
        ],
        small: html`Ordered on ${officeTime(order.placedAt)}. ${termsNote(order, terms, brand)}
        ${
          isBusinessOrder(order)
            ? 'You ordered as a company, so the consumer’s right of withdrawal doesn’t apply.'
            : hasWithdrawal(order)
              ? html`You can withdraw here:
                  <a href="${brand.siteUrl + paths.withdraw()}">withdraw from contract here</a>.`
              : null
        }`,
      }),
      attachments: [
        ...(invoice ? [await attached(deps, invoice)] : []),
        terms.attachment,
        ...(await licencesAttached(deps, order)),
      ],
    })
  }),
})

/** How what was ordered is paid: by a gift card first, the rest as the invoice says. */
function confirmedFacts(invoice: Invoice): [string, string][] {
  const { covered, giftCard, paid, total } = invoice.document
  return paymentFacts(
    invoice,
    paid ? total : total - covered,
    giftCard === null
      ? []
      : [
          [`Gift card ${giftCard}`, euros(-covered)],
          ...(paid && covered < total
            ? [['Paid by card', euros(total - covered)] as [string, string]]
            : []),
        ],
  )
}

const shipped = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, parcel, withdrawn, brand }) => {
    if (!parcel) return { skip: 'the parcel is gone' }
    const parcels = deps.parcelsOf(order)
    const isAll = parcels.length === 1 && order.state === 'shipped'
    const isLast = order.state === 'shipped' && parcels.at(-1)?.id === parcel.id
    const share = isAll ? 'your order' : isLast ? 'the rest of your order' : 'part of your order'
    const left = deps.awaitedOf(order).filter(({ rest }) => rest > 0)
    const toCome = left.map(({ line, rest }) => `${rest} × ${line.title}`).join(', ')
    const seeOrder = { label: 'See your order', url: deps.successUrl(order) }
    const url = trackingUrl(parcel)
    const pictures = await deps.picturesOf(order)
    if (order.pickup) {
      return toBuyer(
        order,
        mailMessage(brand, {
          subject: `You’ve picked up ${share} ${order.number}`,
          headline: 'Thank you for coming by',
          number: `Order ${order.number}`,
          body: paragraphs(
            [
              `You picked these up on ${longDate(dateAt(parcel.sentAt))}.`,
              ...daysToWithdraw(order, parcel),
            ].join(' '),
          ),
          more: [
            parcelTable(order, parcel, pictures),
            ...paragraphs(toCome && `Still to pick up: ${toCome}.`),
          ],
          button: seeOrder,
        }),
      )
    }
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `${capitalised(share)} ${order.number} is on its way`,
        headline: `${capitalised(share)} is on its way`,
        number: `Order ${order.number}`,
        body: paragraphs('We’ve handed your parcel to the carrier. What’s in it is listed below.'),
        more: [
          parcelTable(order, parcel, pictures),
          ...paragraphs(sentAllTheSame(withdrawn)),
          ...paragraphs(toCome && `Still to come: ${toCome}. We’ll email you when it ships.`),
        ],
        details: [
          ...(parcel.carrier ? [['Carrier', parcel.carrier] as [string, string]] : []),
          ...(parcel.tracking ? [['Tracking number', parcel.tracking] as [string, string]] : []),
        ],
        // Without a number to follow, the order's page says where it is, and how it's returned.
        button: url ? { label: 'Follow your parcel', url } : seeOrder,
      }),
    )
  }),
})

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** From when the right of withdrawal counts for what was handed over, where any of it has one. */
function daysToWithdraw(order: Order, { lines }: Pick<SentParcel, 'lines'>): string[] {
  const held = order.lines.filter(({ id }) => lines.some(({ line }) => line === id))
  const exempt = held.filter((line) => exemptionOf(line, order) !== null)
  if (exempt.length === held.length) return []
  return [
    'Your 14 days to change your mind count from that day.',
    ...(exempt.length > 0 ? ['They don’t apply to what was made to your order.'] : []),
  ]
}

/** What becomes of pieces that left although they had been withdrawn from. */
const sentAllTheSame = (pieces: number): string =>
  pieces === 0
    ? ''
    : `You had withdrawn from ${pieces === 1 ? '1 piece' : `${pieces} pieces`} of this, which left all the same. Your withdrawal stands: please send back what you don’t want to keep, and we’ll refund it.`

/** Says where and how an order is picked up. */
const ready = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, brand }) => {
    if (order.readyAt === null) return { skip: 'it is not ready' }
    const { address, phone } = await deps.seller()
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Your order ${order.number} is ready to pick up`,
        headline: 'Ready to pick up',
        number: `Order ${order.number}`,
        body: paragraphs(
          'Your order is packed and waiting for you. Please bring the order number. Someone else can collect it for you with that number.',
        ),
        details: [
          ['Where', address.join(', ')],
          ...(phone ? [['Phone', phone] as [string, string]] : []),
        ],
        button: { label: 'See your order', url: deps.successUrl(order) },
      }),
    )
  }),
})

/** Says where an order goes from now on, so that a change no one asked for is noticed. */
const movedTo = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => {
    if (isOver(order)) return { skip: `the order is now ${order.state}` }
    const address = addressOf(order).map((line) => printedLine(line))
    const isPart = deps.parcelsOf(order).length > 0
    const goes =
      order.state === 'shipped'
        ? 'the last parcel of your order went to the address below'
        : `we’ll send ${isPart ? 'what’s left of your order' : 'your order'} to the address below`
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `The delivery address of your order ${order.number} has changed`,
        headline: 'We’ve changed the delivery address',
        number: `Order ${order.number}`,
        body: paragraphs(
          `As agreed with you, ${goes}. Your invoice stays as it is. Didn’t ask for this? Please reply to this email straight away.`,
        ),
        button: { label: 'See your order', url: deps.successUrl(order) },
        details: [['Ship to', address.filter(Boolean).join(', ')]],
      }),
    )
  }),
})

/** Confirms that files are delivered at once, on a durable medium (Consumer Protection Act 6:16). */
const atOnce = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) => {
    if (order.waivedAt === null) return { skip: 'it was not asked for' }
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Your files of order ${order.number} are open`,
        headline: 'Your files are open',
        number: `Order ${order.number}`,
        body: paragraphs(
          `On ${officeTime(order.waivedAt)} you asked for immediate access to the digital content of this order, and understood that you lose your right of withdrawal for it once it is supplied. Keep this email: it confirms that.`,
        ),
        button: { label: 'See your order and its files', url: deps.successUrl(order) },
        details: order.lines
          .filter(({ kind }) => kind === 'digital')
          .map(({ title }): [string, string] => ['No right of withdrawal', title]),
      }),
    )
  }),
})

/** When each line is delivered, in the words that its buyer was shown; and where to fetch it. */
function deliveryFacts(order: Order): Markup[] {
  const rows = order.lines.flatMap(({ title, delivery, kind }): [string, string][] =>
    delivery === null
      ? []
      : [[title, order.pickup && kind === 'physical' ? `${delivery} ${pickupNote}` : delivery]],
  )
  return rows.length === 0 ? [] : [dataTable(['Delivery', ''], rows)]
}

/** Asks the mailbox of an order that waits whether it is its own; carries nothing that was typed. */
const waiting = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, brand }) => {
    const link = deps.waitingLink(order)
    if (link === null) return { skip: 'the order is no longer waiting' }
    return toBuyer(
      order,
      mailMessage(brand, {
        subject: `Confirm your order ${order.number}`,
        preheader: 'One click, and we’ll hold your items.',
        headline: 'One more step',
        number: `Order ${order.number}`,
        body: paragraphs(
          'Someone (hopefully you) placed this order with your email address. Stock is low, so please confirm that it’s yours. Once you do, we’ll hold the items for you and send your invoice, if they’re still available.',
        ),
        button: { label: 'Confirm this order', url: link.url },
        more: [
          linesTable(order, await deps.picturesOf(order)),
          ...paragraphs(`The link works until ${officeTime(link.until)}.`),
        ],
        small: 'Not you? Ignore this email and nothing will be ordered.',
      }),
    )
  }),
})

const openingCode = ({ unseal }: OrderMailDeps): MailTemplate => ({
  keptDays: 1,
  render(row, brand) {
    const { order, code: sealed, to } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
    if (!order || !sealed || !to) return { skip: 'nothing to tell' }
    const code = unseal('order-code', sealed)?.text
    if (code === undefined) return { skip: 'no key opens its code' }
    return {
      to: { name: '', address: to },
      message: mailMessage(brand, {
        subject: `${code} opens your order`,
        headline: 'Your code',
        number: code,
        body: paragraphs(`Enter it on the page of order ${order}. It works for 15 minutes.`),
        small: 'Didn’t ask for it? Ignore this email.',
      }),
    }
  },
})

/** When an order ends that is not paid; what staff have agreed on never does by itself. */
const endsUnpaid = ({ state, reservedUntil }: Order): string =>
  state === 'open' && reservedUntil !== null
    ? `  If unpaid, the order ends on ${longDate(dateAt(reservedUntil))}.`
    : ''

/** When the files of an order open; what was paid at once is paid when this is read. */
function filesStep(order: Order): string {
  const isPaid = dueOf(order) === 0 || order.payment === 'stripe' || isDeliverable(order)
  if (order.digitalWaiver || isBusinessOrder(order)) {
    return isPaid
      ? 'Your files are ready on the order page.'
      : 'Download your files from the order page once your payment has arrived.'
  }
  const opensOn = longDate(downloadsOpenOn(order))
  return `Your files open on the order page ${isPaid ? `on ${opensOn}` : `once your payment has arrived, on ${opensOn} at the earliest`}, when your right of withdrawal has ended. Need them sooner? Once it’s paid, you can ask for immediate access there.`
}

function nextSteps(order: Order): string[] {
  const kinds = new Set(order.lines.map(({ kind }) => kind))
  return [
    dueOf(order) === 0
      ? 'Your gift card has paid for it; the receipt is attached.'
      : order.payment === 'invoice'
        ? order.onAccount
          ? 'Please pay the attached invoice by the due date, using the reference number. We don’t wait for it to deliver.'
          : `Please pay the attached invoice by bank transfer, using the reference number. We deliver once your payment has arrived.${endsUnpaid(order)}`
        : 'Your payment has arrived; the receipt is attached.',
    ...(kinds.has('physical')
      ? [`We’ll email you when your order ${order.pickup ? 'is ready to pick up' : 'ships'}.`]
      : []),
    ...(kinds.has('digital') ? [filesStep(order)] : []),
    ...(kinds.has('service') && !isBusinessOrder(order)
      ? [
          order.beginEarly
            ? 'You asked us to begin before the 14-day withdrawal period ends. If you withdraw, you pay for the work done by then.'
            : `We begin on ${longDate(downloadsOpenOn(order))} at the earliest, when your right of withdrawal has ended. Tell us if you’d like us to begin earlier.`,
        ]
      : []),
  ]
}
