import * as z from 'zod'
import type { Order } from './order.ts'

/** Who sells, as an invoice has to say it (VAT Act 209 e). */
export type Seller = {
  name: string
  address: string[]
  businessId: string | null
  vatId: string | null
  email: string | null
  phone: string | null
  iban: string | null
  bic: string | null
}

const partySchema = z.object({
  name: z.string(),
  address: z.array(z.string()),
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
  suppliedOn: z.string(),
  dueOn: z.nullable(z.string()),
  paid: z.boolean(),
  seller: partySchema,
  buyer: z.object({
    name: z.string(),
    company: z.nullable(z.string()),
    address: z.array(z.string()),
    vatId: z.nullable(z.string()),
  }),
  lines: z.array(
    z.object({
      title: z.string(),
      quantity: z.number(),
      unit: z.number(),
      total: z.number(),
      rate: z.number(),
    }),
  ),
  vat: z.array(z.object({ rate: z.number(), net: z.number(), vat: z.number(), gross: z.number() })),
  total: z.number(),
  reference: z.string(),
  rf: z.string(),
  barcode: z.nullable(z.string()),
  /** Why no VAT is charged, where none is. */
  exemption: z.nullable(z.string()),
})

/** Everything that a document says, as it was issued. */
export type InvoiceDocument = z.output<typeof documentSchema>

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** The address of a buyer, a line each; without empty fields. */
export function addressOf({
  street,
  postcode,
  city,
  country,
}: Pick<Order, 'street' | 'postcode' | 'city' | 'country'>): string[] {
  const place = [postcode, city].filter(Boolean).join(' ')
  return [street, place, countryNames.of(country) ?? country].filter((line): line is string =>
    Boolean(line),
  )
}
