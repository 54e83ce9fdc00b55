import { dateAt } from '#shared/civil-dates.ts'
import { officeDate } from '#shared/helsinki-time.ts'
import { addressOf, type Seller } from './invoice-document.ts'
import {
  accent,
  edge,
  margin,
  pdf,
  row,
  soft,
  width,
  write,
  type Column,
  type Doc,
  type Parent,
} from './pdf-page.ts'
import type { Order } from './order.ts'

const columns = [
  { label: 'Packed', x: 0, width: 50, align: 'left' },
  { label: 'Pieces', x: 55, width: 45, align: 'right' },
  { label: 'Item', x: 120, width: width - 230, align: 'left' },
  { label: 'Article', x: width - 105, width: 105, align: 'right' },
] as const satisfies readonly Column[]

/**
 * Draws packing slips as a tagged PDF, a page for each order: what goes into the parcel and to whom,
 * without prices.
 * @param orders with something to send
 */
export const packingPdf = (orders: readonly Order[], seller: Seller, today: string) =>
  pdf(
    {
      title: orders.length === 1 ? `Packing slip ${orders[0]!.number}` : 'Packing slips',
      author: seller.name,
      subject: orders.map(({ number }) => number).join(', '),
      date: today,
    },
    (doc, root) => {
      for (const [at, order] of orders.entries()) {
        if (at > 0) doc.addPage()
        const part = doc.struct('Sect')
        root.add(part)
        slip(doc, part, { order, seller })
        part.end()
      }
    },
  )

function slip(doc: Doc, parent: Parent, { order, seller }: { order: Order; seller: Seller }): void {
  edge(doc)
  write(doc, parent, 'P', seller.name, { font: 'bold', size: 13, x: margin, y: margin })
  write(doc, parent, 'H1', `Packing slip ${order.number}`, {
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
  write(doc, parent, 'P', `Ordered on ${officeDate(dateAt(order.placedAt))}`, {
    x: margin + 250,
    y: top,
    width: width - 250,
    align: 'right',
  })
  doc.y = Math.max(bottom, doc.y) + 22
  write(doc, parent, 'H2', 'Ship to', { size: 8.5, colour: accent, font: 'bold', x: margin })
  doc.y += 4
  const to = [order.company, order.name, ...addressOf(order)].filter((each) => each !== null)
  write(doc, parent, 'P', to.join('\n'), { x: margin, width: 320, size: 13, lineGap: 3 })
  doc.y += 26
  const table = doc.struct('Table')
  parent.add(table)
  row(doc, table, columns, { cells: columns.map(({ label }) => label), type: 'TH' })
  for (const { kind, quantity, title, variant } of order.lines) {
    if (kind !== 'physical') continue
    if (doc.y > 720) doc.addPage()
    row(doc, table, columns, { cells: ['☐', String(quantity), title, variant ?? ''], type: 'TD' })
  }
  table.end()
}
