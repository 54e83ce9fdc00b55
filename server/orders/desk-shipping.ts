import type { DeskLine } from '#shared/desk/lines.ts'
import type { DeskAct, DeskField, DeskThing } from '#shared/desk/things.ts'
import { hasStates } from '#shared/shop/address-rules.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { euros, sum } from '#shared/money.ts'
import { deskLine, isoOf } from '../contributions/desk-source.ts'
import type { Order } from './order.ts'
import type { LineProgress, SentParcel } from './shipping/parcels.ts'
import type { Shipment, ToPack } from './shipping/ship-actions.ts'

/** Whether something of an order has to be sent or fetched. */
export const hasGoods = ({ lines }: Order): boolean => lines.some(({ kind }) => kind === 'physical')

/** Whether what was bought may leave: it's paid, or its company pays later. */
export const mayLeave = ({ state, onAccount }: Order): boolean =>
  state === 'paid' || (state === 'open' && onAccount)

/** Whether its buyer fetches an order, and whether they have been told that they can. */
export function pickupFacts({ pickup, readyAt, shippedAt }: Order): DeskThing['facts'] {
  if (!pickup) return []
  const text =
    shippedAt !== null
      ? 'picked up'
      : readyAt !== null
        ? `buyer told on ${officeTime(readyAt)}`
        : 'buyer not told yet'
  return [{ name: 'Pickup', text }]
}

/** The field for how many pieces of a line leave; lines are counted from 0. */
const piecesField = (at: number): string => `pieces-${at}`

/**
 * Asks how much of each line leaves, where it needn't be everything: all that is left, until someone
 * changes it.
 */
function piecesFields(progress: readonly LineProgress[]): DeskField[] {
  const left = progress.filter(({ rest }) => rest > 0)
  if (sum(left.map(({ rest }) => rest)) < 2) return []
  return left.map(({ at, rest, line }) => ({
    name: piecesField(at),
    label: line.title,
    kind: 'number',
    value: String(rest),
    hint: `${rest} left. Enter 0 for later.`,
  }))
}

/**
 * The pieces that were entered, none of them where it was 0; undefined where nothing was asked.
 * @throws invalid for what isn't a number of pieces, and when nothing would leave
 */
export function chosenPieces(entries: Entries): Shipment['lines'] {
  const given = Object.entries(entries).flatMap(([name, text]) => {
    const at = /^pieces-(\d{1,4})$/.exec(name)?.[1]
    return at === undefined ? [] : [{ name, line: Number(at), text: text.trim() }]
  })
  if (given.length === 0) return undefined
  const lines = given.map(({ name, line, text }) => {
    if (/^\d{1,6}$/.test(text)) return { line, quantity: Number(text) }
    const message = 'Please enter a number of pieces'
    throw failure('invalid', { message, errors: { [name]: message } })
  })
  const leaving = lines.filter(({ quantity }) => quantity > 0)
  if (leaving.length > 0) return leaving
  const message = 'Please enter what leaves'
  throw failure('invalid', { message, errors: { [given[0]!.name]: message } })
}

/** Why goods are looked at again before they are packed; null for nothing. */
export const packingDoubt = ({
  withdrawn,
  gone,
}: Pick<ToPack, 'withdrawn' | 'gone'>): string | null => {
  if (withdrawn > 0) return 'The buyer has withdrawn: check before packing'
  return gone > 0
    ? `${euros(gone)} of the payment went back, by a dispute or a refund at Stripe: check before packing`
    : null
}

/**
 * What is done with the goods of an order: they are sent, or wait until someone fetches them.
 * @param doubts `withdrawn` pieces that its buyer has withdrawn from, `gone` cents of its payment that went back
 */
export function shippingActs(
  order: Order,
  { withdrawn, gone }: Pick<ToPack, 'withdrawn' | 'gone'>,
  progress: readonly LineProgress[],
): DeskAct[] {
  if (!mayLeave(order) || !hasGoods(order)) return []
  const pieces = piecesFields(progress)
  const act = order.pickup ? 'Hand it over' : 'Ship it'
  const despite: DeskField[] = [
    ...(withdrawn > 0
      ? [
          {
            name: 'despiteWithdrawal',
            label: `${act} although the buyer has withdrawn`,
            kind: 'check' as const,
            hint: `From ${withdrawn} ${withdrawn === 1 ? 'piece' : 'pieces'}. Look at the withdrawal first.`,
          },
        ]
      : []),
    ...(gone > 0
      ? [
          {
            name: 'despiteLostPayment',
            label: `${act} although the payment went back`,
            kind: 'check' as const,
          },
        ]
      : []),
  ]
  if (order.pickup) {
    const ready: DeskAct = {
      act: 'ready',
      label: 'Tell the buyer it’s ready',
      hint: 'The buyer gets an email that the order can be picked up, and where.',
      fields: [],
    }
    return [
      ...(order.readyAt === null ? [ready] : []),
      {
        act: 'ship',
        label: 'Mark as picked up',
        hint: 'For what has been handed over. The buyer gets an email.',
        fields: [...pieces, ...despite],
      },
    ]
  }
  return [
    {
      act: 'ship',
      label: 'Mark as shipped',
      hint: 'For a parcel that has left. The buyer gets an email.',
      fields: [
        ...pieces,
        { name: 'carrier', label: 'Carrier', kind: 'text' },
        { name: 'tracking', label: 'Tracking number', kind: 'text' },
        ...despite,
      ],
    },
  ]
}

/** Changes where an order goes, with the address that it has. */
export const addressAct = ({
  street,
  street2,
  postcode,
  city,
  region,
  phone,
  country,
}: Order): DeskAct => ({
  act: 'address',
  label: 'Change the delivery address',
  hint: 'For what hasn’t left yet, within the same country. The invoice stays as it is; the buyer gets an email.',
  fields: [
    {
      name: 'street',
      label: 'Street and number',
      kind: 'text',
      value: street ?? '',
      required: true,
    },
    { name: 'street2', label: 'Flat, floor or building', kind: 'text', value: street2 ?? '' },
    { name: 'postcode', label: 'Postal code', kind: 'text', value: postcode ?? '', required: true },
    { name: 'city', label: 'Town', kind: 'text', value: city ?? '', required: true },
    ...(hasStates(country)
      ? [{ name: 'state', label: 'State or province', kind: 'text' as const, value: region ?? '' }]
      : []),
    { name: 'phone', label: 'Phone', kind: 'text', value: phone ?? '' },
  ],
})

/**
 * What was bought, and its delivery: together they make the total.
 * @param progress of the goods; what is in part on its way says how much of it
 */
export function boughtLines(
  { lines, shippingParts, pickup }: Order,
  progress: readonly LineProgress[],
): DeskLine[] {
  const goods = pickup ? 'Pickup' : 'By post'
  const gone = (id: number): string => {
    const { sent = 0, rest = 0 } = progress.find((each) => each.line.id === id) ?? {}
    return sent > 0 && rest > 0 ? ` · ${rest} left to ${pickup ? 'hand over' : 'send'}` : ''
  }
  return [
    ...lines.map(({ id, quantity, title, unit, discount, total, rate, kind }) =>
      deskLine(
        kind === 'physical' ? goods : kind === 'digital' ? 'Download' : 'Service',
        `${quantity} × ${title}`,
        `${euros(unit)} each, ${discount > 0 ? `${euros(discount)} off, ` : ''}${euros(total)} incl. VAT ${rate} %${gone(id)}`,
      ),
    ),
    ...shippingParts.map(({ gross, rate }) =>
      deskLine('Delivery', 'Shipping', `${euros(gross)} incl. VAT ${rate} %`),
    ),
  ]
}

/** What has left, a parcel each, and how it's followed. */
export const parcelLines = (order: Order, parcels: readonly SentParcel[]): DeskLine[] =>
  parcels.map(({ carrier, tracking, sentAt, lines }) => ({
    label: order.pickup ? 'Picked up' : 'Parcel',
    title: lines
      .map(({ line, quantity }) => {
        const title = order.lines.find(({ id }) => id === line)?.title ?? ''
        return `${quantity} × ${title}`
      })
      .join(', '),
    detail: [carrier, tracking].filter(Boolean).join(' · '),
    urgent: false,
    at: isoOf(sentAt),
    href: null,
  }))
