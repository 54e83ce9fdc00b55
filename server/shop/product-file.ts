import * as z from 'zod'
import { civilDate } from '#shared/fields.ts'
import { decimal, parseEuros } from '#shared/money.ts'
import { productCategories, productKinds } from '#shared/shop-limits.ts'
import { dateAt, dayStart } from '#shared/civil-dates.ts'
import type { Product } from './product.ts'
import { priceAt, type RecordedPrice } from './price-history.ts'

/**
 * Products as files have them: what `products export` writes, `products import` reads, and the
 * sample catalogue is made of (docs/contract.md, Shop). Prices are euros with two decimals.
 */

const word = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const handle = z
  .string()
  .max(100)
  .regex(word, 'Lower-case letters, digits and single hyphens alone')

const euros = z
  .string()
  .transform((text) => parseEuros(text))
  .refine((cents): cents is number => cents !== null && cents >= 0 && cents <= 10_000_000, {
    message: 'An amount in euros such as 89.00',
  })

const variantName = z
  .string()
  .max(60)
  .regex(/^[\w.-]+$/, 'Letters, digits, hyphens and points alone')

const variant = z.strictObject({
  variant: variantName,
  title: z.string().min(1).max(120),
  price: euros,
  stock: z.nullable(z.int().min(0).max(1_000_000)).default(null),
  weight: z.int().min(0).max(1_000_000).optional(),
  files: z.array(z.string().min(1).max(200)).default([]),
})

/** One product of a file. */
export const productSchema = z.strictObject({
  handle,
  title: z.string().min(1).max(160),
  kind: z.enum(productKinds),
  category: z.enum(productCategories),
  summary: z.string().max(500).default(''),
  /** Rich text, or the name of a file beside the catalogue. */
  description: z.union([z.string().max(50_000), z.strictObject({ $file: z.string().max(300) })]),
  pictures: z.array(z.string().max(100)).max(20).default([]),
  vat: z.enum(['standard', 'reduced', 'low', 'zero']).default('standard'),
  published: z.boolean().default(false),
  tags: z.array(z.string().max(60)).max(30).default([]),
  madeToOrder: z.boolean().default(false),
  licence: z.string().max(60).optional(),
  soldOutNote: z.string().max(300).optional(),
  formerHandles: z.array(handle).default([]),
  variants: z.array(variant).min(1).max(100),
  /** Prices of the past, so that a reduction has the thirty days before it to show. */
  history: z
    .array(
      z.strictObject({
        variant: variantName,
        price: euros,
        from: civilDate,
        /** The last day of a reduction. */
        to: z.optional(civilDate),
      }),
    )
    .max(10_000)
    .default([]),
  reduction: z
    .strictObject({ variant: z.string(), price: euros, from: civilDate, to: civilDate })
    .optional(),
})

/** A product of a file; prices in cents. */
export type ProductFile = z.output<typeof productSchema>

/** The whole file. */
export const catalogueSchema = z.array(productSchema).max(100_000)

/** When a price of a file begins: with its day in Helsinki. @returns milliseconds of the epoch */
export const beginOf = (date: string): number => dayStart(date)

/** A product as a file has it; {@link productSchema} reads it back unchanged. */
export function toFile(
  product: Product,
  {
    historyOf,
    formerHandles,
    now,
  }: {
    historyOf: (variant: number) => readonly RecordedPrice[]
    formerHandles: readonly string[]
    now: number
  },
): z.input<typeof productSchema> {
  const history = product.variants.flatMap(({ id, variant: name }) =>
    historyOf(id).map(({ price, fromAt, untilAt }) => ({
      variant: name,
      price: decimal(price),
      from: dateAt(fromAt),
      ...(untilAt !== null && { to: dateAt(untilAt - 1) }),
    })),
  )
  return {
    handle: product.handle,
    title: product.title,
    kind: product.kind,
    category: product.category,
    summary: product.summary,
    description: product.description,
    pictures: [...product.pictures],
    vat: product.vat,
    published: product.published,
    tags: [...product.tags],
    madeToOrder: product.madeToOrder,
    ...(product.licence && { licence: product.licence }),
    ...(product.soldOutNote && { soldOutNote: product.soldOutNote }),
    formerHandles: [...formerHandles],
    variants: product.variants.map(({ variant: name, title, stock, weight, files, id }) => ({
      variant: name,
      title,
      price: decimal(standingPrice(historyOf(id), now)),
      stock,
      ...(weight !== null && { weight }),
      files: [...files],
    })),
    history,
  }
}

/** The price without its reductions. */
const standingPrice = (history: readonly RecordedPrice[], now: number): number =>
  priceAt(
    history.filter(({ untilAt }) => untilAt === null),
    now,
  )?.price ?? 0
