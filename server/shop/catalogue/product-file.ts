import * as z from 'zod'
import { civilDate } from '#shared/forms/fields.ts'
import { decimal, parseEuros } from '#shared/money.ts'
import { licenceUses, type LicenceUse } from '#shared/shop/licences.ts'
import { customsSchema, dispatchSchema, makerSchema, sizeSchema } from '#shared/shop/delivery.ts'
import { frames, productCategories, productKinds, shopLimits } from '#shared/shop/limits.ts'
import { dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import type { Product } from './product.ts'
import { priceAt, type RecordedPrice } from './price-history.ts'

/**
 * Products as files have them: what `products export` writes, `products import` reads, and the
 * sample catalogue is made of (docs/contract.md, Shop). Prices are euros with two decimals.
 */

const word = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const handle = z.string().max(100).regex(word, 'Use lower-case letters, digits and single hyphens')

const euros = z
  .string()
  .transform((text) => parseEuros(text))
  .refine((cents): cents is number => cents !== null && cents >= 0 && cents <= 10_000_000, {
    message: 'An amount in euros such as 89.00',
  })

const variantName = z
  .string()
  .max(60)
  .regex(/^[\w.-]+$/, 'Use letters, digits, hyphens and dots')

/** Volume prices: from more pieces on, each costs less. */
const volume = z
  .array(
    z.strictObject({
      from: z.int().min(2).max(shopLimits.maxQuantity),
      price: euros.refine((cents) => cents > 0, 'A price is €0.01 or more'),
    }),
  )
  .min(1)
  .max(5)
  .refine(
    (steps) =>
      steps.every(
        ({ from, price }, at) =>
          at === 0 || (from > steps[at - 1]!.from && price < steps[at - 1]!.price),
      ),
    'More pieces, and less for each, from step to step',
  )

const variant = z.strictObject({
  variant: variantName,
  title: z.string().min(1).max(120),
  price: euros,
  /** Null for no end of them; left out to leave it as it is. */
  stock: z.nullable(z.int().min(0).max(1_000_000)).optional(),
  /** Grams with its package. */
  weight: z.int().min(0).max(1_000_000).optional(),
  /** The stock keeping unit, as shelf and packing slip have it; of one variant alone. */
  sku: z
    .string()
    .max(40)
    .regex(/^[A-Z0-9][A-Z0-9._-]*$/, 'Capital letters, digits, hyphens and points alone')
    .optional(),
  /** Length, width and height of its package, in millimetres. */
  size: z.optional(sizeSchema),
  files: z.array(z.string().min(1).max(200)).default([]),
  /** The terms of its licence; what is left out is as the product's kind of licence has it. */
  licence: z
    .strictObject({
      use: z.enum(Object.keys(licenceUses) as [LicenceUse, ...LicenceUse[]]).optional(),
      /** `worldwide`, `europe`, `eu`, `nordics`, or a country such as `FI`. */
      territory: z.string().max(20).optional(),
      /** Null for no end. */
      months: z.nullable(z.int().min(1).max(1200)).optional(),
      exclusive: z.boolean().optional(),
      printRun: z.nullable(z.int().min(1).max(100_000_000)).optional(),
      licensee: z.string().min(1).max(120).optional(),
    })
    .optional(),
  /** How it looks on a wall: centimetres with its frame, and the id of the picture in it. */
  wall: z
    .strictObject({
      width: z.number().min(5).max(400),
      height: z.number().min(5).max(400),
      frame: z.enum(frames).default('none'),
      picture: z.string().min(1).max(100),
    })
    .optional(),
  /** What a piece costs from a number of pieces on. */
  volume: z.optional(volume),
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
  vat: z.enum(['standard', 'reduced', 'book', 'low', 'zero']).default('standard'),
  published: z.boolean().default(false),
  tags: z.array(z.string().max(60)).max(30).default([]),
  madeToOrder: z.boolean().default(false),
  licence: z.string().max(60).optional(),
  soldOutNote: z.string().max(300).optional(),
  /** Working days from the payment until it leaves: at least and at most. */
  dispatch: z.optional(dispatchSchema),
  /** Who made it, where that is not the seller. */
  maker: z.optional(makerSchema),
  /** What buyers have to know to use it safely. */
  safety: z.string().max(500).optional(),
  /** Tariff number and country of origin, for the customs form. */
  customs: z.optional(customsSchema),
  formerHandles: z.array(handle).default([]),
  variants: z.array(variant).min(1).max(100),
  /** Prices of the past, so a reduction has the thirty days before it to show. */
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

/** A product of a file as it is written; prices are euros with two decimals. */
export type ProductInput = z.input<typeof productSchema>

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
): ProductInput {
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
    ...(product.dispatch && { dispatch: product.dispatch }),
    ...(product.maker && { maker: product.maker }),
    ...(product.safety && { safety: product.safety }),
    ...(product.customs && { customs: product.customs }),
    formerHandles: [...formerHandles],
    variants: product.variants.map(
      ({
        variant: name,
        title,
        stock,
        weight,
        sku,
        size,
        files,
        licence,
        wall,
        volume: steps,
        id,
      }) => ({
        variant: name,
        title,
        price: decimal(standingPrice(historyOf(id), now)),
        stock,
        ...(weight !== null && { weight }),
        ...(sku && { sku }),
        ...(size && { size }),
        files: [...files],
        ...(licence && { licence }),
        ...(wall && { wall }),
        ...(steps && {
          volume: steps.map(({ from, price }) => ({ from, price: decimal(price) })),
        }),
      }),
    ),
    history,
  }
}

/** The price without its reductions. */
const standingPrice = (history: readonly RecordedPrice[], now: number): number =>
  priceAt(
    history.filter(({ untilAt }) => untilAt === null),
    now,
  )?.price ?? 0
