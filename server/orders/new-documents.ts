import { addDays, dateAt, type CivilDate } from '#shared/civil-dates.ts'
import { sum, vatTable } from '#shared/money.ts'
import { orderLimits } from '#shared/order-limits.ts'
import { isInUnion } from '#shared/union.ts'
import { addressOf, type InvoiceDocument, type Seller } from './invoice-document.ts'
import type { Order } from './order.ts'
import { referenceNumber, rfReference } from './reference-number.ts'
import { virtualBarcode } from './virtual-barcode.ts'

/** What a document is issued with. */
type Issue = { number: number; today: CivilDate }

/** The invoice of an order. */
export function newInvoice(
  order: Order,
  { number, today, seller, paid }: Issue & { seller: Seller; paid: boolean },
): InvoiceDocument {
  const reference = referenceNumber(String(number))
  const dueOn = paid ? null : addDays(today, orderLimits.dueDays)
  const lines = [
    ...order.lines.map(({ title, quantity, unit, total, rate }) => ({
      title,
      quantity,
      unit,
      total,
      rate,
    })),
    ...(order.shippingRate === null
      ? []
      : [
          {
            title: 'Shipping',
            quantity: 1,
            unit: order.shipping,
            total: order.shipping,
            rate: order.shippingRate,
          },
        ]),
  ]
  const isFinnish = seller.iban !== null && /^FI\d{16}$/.test(seller.iban.replaceAll(/\s/g, ''))
  return {
    kind: 'invoice',
    number,
    refersTo: null,
    order: order.number,
    issuedOn: today,
    suppliedOn: dateAt(order.placedAt),
    dueOn,
    paid,
    seller,
    buyer: {
      name: order.name,
      company: order.company,
      address: addressOf(order),
      vatId: order.vatId,
    },
    lines,
    vat: vatTable(lines.map(({ total, rate }) => ({ gross: total, rate }))),
    total: sum(lines.map(({ total }) => total)),
    reference,
    rf: rfReference(reference),
    barcode:
      isFinnish && !paid
        ? virtualBarcode({
            iban: seller.iban!,
            cents: order.total,
            reference,
            due: dueOn,
          })
        : null,
    exemption: exemptionOf(order),
  }
}

/** The credit note that takes a whole invoice back. */
export function newCreditNote(
  document: InvoiceDocument,
  { number, today }: Issue,
): InvoiceDocument {
  return {
    ...document,
    kind: 'credit',
    number,
    refersTo: document.number,
    issuedOn: today,
    dueOn: null,
    paid: true,
    lines: document.lines.map((line) => ({
      ...line,
      quantity: -line.quantity,
      total: minus(line.total),
    })),
    vat: document.vat.map(({ rate, net, vat, gross }) => ({
      rate,
      net: minus(net),
      vat: minus(vat),
      gross: minus(gross),
    })),
    total: minus(document.total),
    barcode: null,
  }
}

/** Why there is no VAT on an order, or on what of it is sent; null where there is. */
function exemptionOf({ reverseCharge, country, lines }: Order): string | null {
  if (reverseCharge) {
    return 'Reverse charge: the buyer accounts for the VAT (Directive 2006/112/EC, art. 138 and 196).'
  }
  return !isInUnion(country) && lines.some(({ kind }) => kind === 'physical')
    ? 'Goods exported from the European Union: VAT 0 % (Directive 2006/112/EC, art. 146).'
    : null
}

/** An amount taken back; never a negative zero. */
const minus = (amount: number): number => (amount === 0 ? 0 : -amount)
