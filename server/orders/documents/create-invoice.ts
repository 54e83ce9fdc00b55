import { addDays, type CivilDate } from '#shared/dates/civil-dates.ts'
import { sum, vatTable } from '#shared/money.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import { termsLine } from '#shared/shop/licences.ts'
import { taxReason } from '#shared/shop/tax.ts'
import type { InvoiceDocument, Seller } from './invoice-document.ts'
import { addressOf, type Order } from '../order.ts'
import { licenceNumber, licenseeOf } from './licence-document.ts'
import { printedLength, printedLine } from './printed-line.ts'
import { referenceNumber, rfReference } from './reference-number.ts'
import { virtualBarcode } from './pdf/barcode.ts'

/** What a document is issued with. */
type Issue = { number: number; today: CivilDate }

/** Days of work, both inclusive. */
export type Performed = { readonly from: CivilDate; readonly to: CivilDate }

/**
 * The invoice of an order.
 * @param issue `performed` for work that has days of its own
 */
export function newInvoice(
  order: Order,
  {
    number,
    today,
    seller,
    paid,
    performed = null,
    covered = order.giftCardAmount,
  }: Issue & { seller: Seller; paid: boolean; performed?: Performed | null; covered?: number },
): InvoiceDocument {
  const reference = referenceNumber(String(number))
  // A shop order ends unpaid a few days after its invoice is due, unless its company may pay after
  // delivery; a booking is agreed on.
  const { dueDays, transferDueDays } = orderLimits
  const isAgreed = order.booking !== null || order.onAccount
  const dueOn = paid ? null : addDays(today, isAgreed ? dueDays : transferDueDays)
  const lines = [
    ...order.lines.map(
      (
        { title, kind, quantity, unit, discount, total, rate, taxGround, taxCountry, soldLicence },
        at,
      ) => ({
        title,
        line: null,
        isReduction: false,
        note: soldLicence
          ? `Licence ${licenceNumber(order, at)}, ${licenseeOf(order)}: ${termsLine(soldLicence)}`
          : null,
        kind,
        quantity,
        unit,
        discount,
        total,
        rate,
        ground: taxGround,
        taxCountry,
        reason: taxReason({ ground: taxGround, country: taxCountry }),
      }),
    ),
    ...order.shippingParts.map(({ gross, rate, ground, country }) => ({
      title: 'Shipping',
      note: null,
      line: null,
      isReduction: false,
      // It is part of the supply of the goods.
      kind: 'physical' as const,
      quantity: 1,
      unit: gross,
      discount: 0,
      total: gross,
      rate,
      ground,
      taxCountry: country,
      reason: taxReason({ ground, country }),
    })),
  ]
  const printed = (line: string) => printedLine(line, printedLength(order))
  const isFinnish = seller.iban !== null && /^FI\d{16}$/.test(seller.iban.replaceAll(/\s/g, ''))
  return {
    kind: 'invoice',
    number,
    refersTo: null,
    order: order.number,
    issuedOn: today,
    ...suppliedWhen(order, { today, paid, performed }),
    dueOn,
    paid,
    seller,
    // The invoice goes to a mailbox that anyone could have entered.
    buyer: {
      name: printed(order.name) || 'Customer',
      company: order.company && (printed(order.company) || null),
      address: addressOf(order).map(printed).filter(Boolean),
      vatId: order.vatId,
      street: printedOrNull(order.street, printed),
      street2: printedOrNull(order.street2, printed),
      region: printedOrNull(order.region, printed),
      postcode: printedOrNull(order.postcode, printed),
      city: printedOrNull(order.city, printed),
      country: order.country,
    },
    lines,
    vat: vatTable(lines.map(({ total, rate }) => ({ gross: total, rate }))),
    total: sum(lines.map(({ total }) => total)),
    covered,
    giftCard: order.giftCard,
    discountCode: order.discountCode,
    reference,
    rf: rfReference(reference),
    barcode:
      isFinnish && !paid
        ? virtualBarcode({
            iban: seller.iban!,
            cents: order.total - covered,
            reference,
            due: dueOn,
          })
        : null,
    remark: null,
    exemption: null,
  }
}

const printedOrNull = (text: string | null, printed: (line: string) => string): string | null =>
  text === null ? null : printed(text) || null

/** Files are supplied with their payment, work on its days; goods have no day before they are sent. */
function suppliedWhen(
  { lines }: Pick<Order, 'lines'>,
  { today, paid, performed }: { today: CivilDate; paid: boolean; performed: Performed | null },
): Pick<InvoiceDocument, 'suppliedFrom' | 'suppliedOn'> {
  if (performed) return { suppliedFrom: performed.from, suppliedOn: performed.to }
  const isOfFiles = lines.every(({ kind }) => kind === 'digital')
  return { suppliedFrom: null, suppliedOn: isOfFiles && paid ? today : null }
}
