import { longDate } from '#shared/dates/date-format.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import type { Seller } from '../invoice-document.ts'
import {
  accent,
  amount,
  edge,
  facts,
  margin,
  pdf,
  soft,
  table,
  width,
  within,
  write,
  type Column,
  type Doc,
  type Parent,
} from './pdf-page.ts'
import { placeOf } from '#shared/shop/tax.ts'
import { addressOf, type Order } from '../../order.ts'
import type { CustomsForm } from '../../shipping/customs.ts'
import type { LineProgress } from '../../shipping/parcels.ts'

const columns = [
  { label: 'Packed', x: 0, width: 50, align: 'left' },
  { label: 'Pieces', x: 55, width: 45, align: 'right' },
  { label: 'Item', x: 120, width: width - 230, align: 'left' },
  { label: 'Article', x: width - 105, width: 105, align: 'right' },
] as const satisfies readonly Column[]

/** What goes into a parcel: goods that are left of an order, and what its customs form says. */
export type PackingSlip = {
  readonly order: Order
  /** The number of its invoice, which customs ask for. */
  readonly invoice: number | null
  readonly lines: readonly LineProgress[]
  readonly customs: CustomsForm | null
}

/**
 * Draws packing slips as a tagged PDF, a page for each parcel: what goes into it and to whom, without
 * prices; where it passes customs, a page with what the customs form says follows.
 * @param slips with something to send
 */
export const packingPdf = (slips: readonly PackingSlip[], seller: Seller, today: string) =>
  pdf(
    {
      title: slips.length === 1 ? `Packing slip ${slips[0]!.order.number}` : 'Packing slips',
      author: seller.name,
      subject: slips.map(({ order }) => order.number).join(', '),
      date: today,
    },
    (doc, root) => {
      for (const [at, each] of slips.entries()) {
        if (at > 0) doc.addPage()
        within(doc, root, 'Sect', (part) => {
          slip(doc, part, each, seller)
          if (each.customs) {
            doc.addPage()
            customsPage(doc, part, { ...each, customs: each.customs }, seller)
          }
        })
      }
    },
  )

function slip(doc: Doc, parent: Parent, { order, lines }: PackingSlip, seller: Seller): void {
  const title = `Packing slip ${order.number}`
  doc.beginDocument(title)
  edge(doc)
  write(doc, parent, 'P', seller.name, { font: 'bold', size: 13, x: margin, y: margin })
  write(doc, parent, 'H1', title, {
    font: 'bold',
    size: 20,
    x: margin,
    y: margin,
    width,
    align: 'right',
  })
  const top = margin + 58
  write(doc, parent, 'P', [...seller.address, seller.email].filter(Boolean).join('\n'), {
    x: margin,
    y: top,
    width: 200,
    colour: soft,
    lineGap: 2,
  })
  const bottom = doc.y
  write(doc, parent, 'P', `Ordered on ${longDate(dateAt(order.placedAt))}`, {
    x: margin + 250,
    y: top,
    width: width - 250,
    align: 'right',
  })
  doc.y = Math.max(bottom, doc.y) + 22
  const heading = order.pickup ? 'Picked up by' : 'Ship to'
  write(doc, parent, 'H2', heading, { size: 8.5, colour: accent, font: 'bold', x: margin })
  doc.y += 4
  const to = [
    order.company,
    order.name,
    ...(order.pickup ? [] : addressOf(order)),
    order.phone,
  ].filter((each) => each !== null)
  write(doc, parent, 'P', to.join('\n'), { x: margin, width: 320, size: 13, lineGap: 3 })
  doc.y += 26
  const rows = lines.flatMap(({ line, rest }) =>
    rest === 0 ? [] : [['☐', String(rest), line.title, line.sku ?? line.variant ?? '']],
  )
  table(doc, parent, columns, rows)
  if (!order.pickup && placeOf(order).area === 'aland') {
    doc.y += 10
    write(doc, parent, 'P', 'To Åland, across the VAT border: put a copy of the invoice with it.', {
      font: 'bold',
      x: margin,
      width,
    })
  }
  const left = order.lines.filter(({ kind }) => kind === 'physical').length
  const isPart = lines.length < left || lines.some(({ line, rest }) => rest < line.quantity)
  if (!isPart) return
  doc.y += 10
  write(
    doc,
    parent,
    'P',
    'This is part of the order. The rest has its own parcel or was cancelled.',
    {
      x: margin,
      width,
      colour: soft,
    },
  )
}

const customsColumns = [
  { label: 'Contents', x: 0, width: width - 300, align: 'left' },
  { label: 'Pieces', x: width - 290, width: 45, align: 'right' },
  { label: 'Net weight', x: width - 240, width: 60, align: 'right' },
  { label: 'Value', x: width - 175, width: 60, align: 'right' },
  { label: 'HS number', x: width - 110, width: 65, align: 'right' },
  { label: 'Origin', x: width - 40, width: 40, align: 'right' },
] as const satisfies readonly Column[]

/** What the customs form says, for who fills it in at the carrier. */
function customsPage(
  doc: Doc,
  parent: Parent,
  { order, invoice, customs }: PackingSlip & { customs: CustomsForm },
  seller: Seller,
): void {
  edge(doc)
  const title = `${customs.form === 'CN22' ? 'CN 22' : 'CN 23'} data, order ${order.number}`
  doc.beginDocument(title)
  write(doc, parent, 'H1', title, { font: 'bold', size: 20, x: margin, y: margin, width })
  doc.y += 14
  facts(
    doc,
    parent,
    [
      ['Sender', [seller.name, ...seller.address].join(', ')],
      ['Sender’s phone and email', [seller.phone, seller.email].filter(Boolean).join(', ')],
      ['Sender’s VAT number', seller.vatId],
      ['Addressee', [order.company, order.name, ...addressOf(order)].filter(Boolean).join(', ')],
      ['Addressee’s phone and email', [order.phone, order.email].filter(Boolean).join(', ')],
      ['Category', customs.category],
    ],
    { x: margin, width },
  )
  doc.y += 14
  const rows = customs.items.map((item) => [
    item.title,
    String(item.quantity),
    item.weight === null ? '' : kilograms(item.weight),
    amount(item.value),
    item.code ?? '',
    item.origin ?? '',
  ])
  table(doc, parent, customsColumns, rows)
  doc.y += 8
  facts(
    doc,
    parent,
    [
      ['Total weight', kilograms(customs.weight)],
      ['Total value', amount(customs.value)],
      ['Postage paid', amount(customs.postage)],
      ['Invoice', invoice === null ? null : String(invoice)],
      ['Still missing', customs.missing.length > 0 ? customs.missing.join(', ') : null],
    ],
    { x: margin, width },
  )
}

const kilograms = (grams: number): string => `${(grams / 1000).toFixed(3)} kg`
