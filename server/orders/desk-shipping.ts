import type { DeskLine } from '#shared/desk-lines.ts'
import type { DeskAct, DeskThing } from '#shared/desk-things.ts'
import { officeTime } from '#shared/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import type { Order } from './order.ts'

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

/** What is done with the goods of an order: they are sent, or wait until someone fetches them. */
export function shippingActs(order: Order, withdrawn: number): DeskAct[] {
  if (!mayLeave(order) || !hasGoods(order)) return []
  const despite: DeskAct['fields'] =
    withdrawn > 0
      ? [
          {
            name: 'despiteWithdrawal',
            label: `${order.pickup ? 'Hand it over' : 'Ship it'} although the buyer has withdrawn`,
            kind: 'check',
            hint: `From ${withdrawn} ${withdrawn === 1 ? 'piece' : 'pieces'}. Look at the withdrawal first.`,
          },
        ]
      : []
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
        hint: 'Everything that is left has been handed over, and the buyer gets an email. Parts of it: pitlane orders ship.',
        fields: despite,
      },
    ]
  }
  return [
    {
      act: 'ship',
      label: 'Mark as shipped',
      hint: 'Everything that is left goes in one parcel, and the buyer gets an email. Part shipments: pitlane orders ship.',
      fields: [
        { name: 'carrier', label: 'Carrier', kind: 'text' },
        { name: 'tracking', label: 'Tracking number', kind: 'text' },
        ...despite,
      ],
    },
  ]
}

/** What was bought, and its delivery: together they make the total. */
export function boughtLines({ lines, shippingParts, pickup }: Order): DeskLine[] {
  const line = (label: string, title: string, detail: string): DeskLine => ({
    label,
    title,
    detail,
    urgent: false,
    at: null,
    href: null,
  })
  const goods = pickup ? 'Pickup' : 'By post'
  return [
    ...lines.map(({ quantity, title, unit, discount, total, rate, kind }) =>
      line(
        kind === 'physical' ? goods : kind === 'digital' ? 'Download' : 'Service',
        `${quantity} × ${title}`,
        `${euros(unit)} each, ${discount > 0 ? `${euros(discount)} off, ` : ''}${euros(total)} incl. VAT ${rate} %`,
      ),
    ),
    ...shippingParts.map(({ gross, rate }) =>
      line('Delivery', 'Shipping', `${euros(gross)} incl. VAT ${rate} %`),
    ),
  ]
}
