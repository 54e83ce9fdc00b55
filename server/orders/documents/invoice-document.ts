import * as z from 'zod'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { productKinds } from '#shared/shop/limits.ts'
import { euros, sum } from '#shared/money.ts'
import { taxGrounds } from '#shared/shop/tax.ts'

/** Who sells, as an invoice has to say it (VAT Act 209 e). It is in Finland, as all rules of tax have it. */
export type Seller = {
  name: string
  address: string[]
  street: string | null
  postcode: string | null
  city: string | null
  businessId: string | null
  vatId: string | null
  email: string | null
  phone: string | null
  iban: string | null
  bic: string | null
}

/** Who sells below their name, as documents print it: address, numbers, email and phone, as far as they're known. */
export const sellerLines = ({ address, businessId, vatId, email, phone }: Seller): string[] =>
  [
    ...address,
    businessId && `Business ID ${businessId}`,
    vatId && `VAT ID ${vatId}`,
    email,
    phone,
  ].filter((line): line is string => Boolean(line))

/** The parts of a seller's or buyer's address, as electronic invoices have fields for them. */
export type PrintedAddress = {
  street: string | null
  street2?: string | null
  postcode: string | null
  city: string | null
  region?: string | null
  country: string | null
}

/** The parts of an address, for formats that have a field for each; older documents have lines alone. */
const addressParts = {
  street: z.nullable(z.string()).default(null),
  postcode: z.nullable(z.string()).default(null),
  city: z.nullable(z.string()).default(null),
}

const partySchema = z.object({
  name: z.string(),
  address: z.array(z.string()),
  ...addressParts,
  businessId: z.nullable(z.string()),
  vatId: z.nullable(z.string()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  iban: z.nullable(z.string()),
  bic: z.nullable(z.string()),
})

/** A document as it is kept. */
export const documentSchema = z.object({
  kind: z.enum(['invoice', 'credit']),
  number: z.number(),
  refersTo: z.nullable(z.number()),
  order: z.string(),
  issuedOn: z.string(),
  /** The last day of the supply; null while it is not known. */
  suppliedOn: z.nullable(z.string()),
  /** The first day of work that took several. */
  suppliedFrom: z.nullable(z.string()).default(null),
  dueOn: z.nullable(z.string()),
  paid: z.boolean(),
  seller: partySchema,
  buyer: z.object({
    name: z.string(),
    company: z.nullable(z.string()),
    address: z.array(z.string()),
    vatId: z.nullable(z.string()),
    ...addressParts,
    /** Flat, floor, building; state, province or territory. */
    street2: z.nullable(z.string()).default(null),
    region: z.nullable(z.string()).default(null),
    /** ISO 3166-1 alpha-2. */
    country: z.nullable(z.string()).default(null),
  }),
  lines: z.array(
    z.object({
      title: z.string(),
      quantity: z.number(),
      unit: z.number(),
      total: z.number(),
      rate: z.number(),
      /** Of a credit note: the place of the line in its invoice, from 0. */
      line: z.nullable(z.number()).default(null),
      /** Of a credit note: whether the price goes down rather than pieces come back. */
      isReduction: z.boolean().default(false),
      /** What a discount code has taken off it, in cents; the total is without that. */
      discount: z.number().default(0),
      /** What else the line says, such as the terms of a licence. */
      note: z.nullable(z.string()).default(null),
      // Documents of earlier versions say no more than the rate, and why in `exemption`.
      kind: z.nullable(z.enum(productKinds)).default(null),
      ground: z.nullable(z.enum(taxGrounds)).default(null),
      taxCountry: z.string().default('FI'),
      reason: z.nullable(z.string()).default(null),
    }),
  ),
  vat: z.array(z.object({ rate: z.number(), net: z.number(), vat: z.number(), gross: z.number() })),
  total: z.number(),
  /** What other payments have paid of it: a deposit, of a cancellation fee; a gift card. */
  covered: z.number().default(0),
  /** The gift card that has paid that part; null where it was money. */
  giftCard: z.nullable(z.string()).default(null),
  /** The discount code of the order; null on credit notes, which give back what was paid. */
  discountCode: z.nullable(z.string()).default(null),
  reference: z.string(),
  rf: z.string(),
  barcode: z.nullable(z.string()),
  /** Why it was credited, in staff's words. */
  remark: z.nullable(z.string()).default(null),
  /** Why no VAT was charged, on documents whose lines don't say it. */
  exemption: z.nullable(z.string()),
})

/** Everything that a document says, as it was issued. */
export type InvoiceDocument = z.output<typeof documentSchema>

/**
 * A document as it is printed: one that was issued before its goods were sent has the day of dispatch
 * once there is one.
 */
export function asPrinted(
  document: InvoiceDocument,
  { shippedAt }: { readonly shippedAt: number | null },
): InvoiceDocument {
  if (document.suppliedOn !== null || shippedAt === null) return document
  return { ...document, suppliedOn: dateAt(shippedAt) }
}

/** What paid the part of a document that need not be paid any more, in words. */
export const coveredBy = ({ giftCard }: Pick<InvoiceDocument, 'giftCard'>): string =>
  giftCard === null ? 'Paid before' : `Gift card ${giftCard}`

/** That a document is paid, and by what where a gift card has paid of it: the rest came by card. */
export const paidText = ({
  giftCard,
  covered,
  total,
}: Pick<InvoiceDocument, 'giftCard' | 'covered' | 'total'>): string =>
  giftCard === null
    ? 'Paid. Thank you.'
    : covered < total
      ? `Paid: ${euros(covered)} by gift card ${giftCard}, ${euros(total - covered)} by card. Thank you.`
      : `Paid by gift card ${giftCard}. Thank you.`

/** What a line says of the code that made it cheaper; null where none did (VAT Act 209 e §(2)(7)). */
export const discountText = (
  { discount }: Pick<InvoiceDocument['lines'][number], 'discount'>,
  { discountCode }: Pick<InvoiceDocument, 'discountCode'>,
): string | null =>
  discountCode === null || discount === 0
    ? null
    : `Discount code ${discountCode}: ${euros(discount)} taken off`

/** What a document's code took off in all, in cents. */
export const discountOf = ({ lines, discountCode }: InvoiceDocument): number =>
  discountCode === null ? 0 : sum(lines.map(({ discount }) => discount))

/**
 * When a document's goods are sent or its work is done, in words (VAT Act 209 e §(2)(6)); null on a credit
 * note for what was never supplied.
 */
export function supplyText({
  kind,
  suppliedFrom,
  suppliedOn,
  lines,
}: InvoiceDocument): string | null {
  if (suppliedOn !== null) {
    return suppliedFrom === null || suppliedFrom === suppliedOn
      ? longDate(suppliedOn)
      : dateRange(suppliedFrom, suppliedOn)
  }
  if (kind === 'credit') return null
  if (lines.some((line) => line.kind === 'physical')) return 'on dispatch'
  return lines.some((line) => line.kind === 'service') ? 'as agreed' : 'on payment'
}
