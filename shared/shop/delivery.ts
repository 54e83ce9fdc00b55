import * as z from 'zod/mini'
import type { Dispatch } from './delivery-words.ts'

/** {@link Dispatch} as it is kept. */
export const dispatchSchema: z.ZodMiniType<Dispatch> = z
  .tuple([z.int().check(z.minimum(0), z.maximum(365)), z.int().check(z.maximum(365))])
  .check(z.refine(([min, max]) => min <= max, 'The longest time is the second one'))

/** Length, width and height of a package, in millimetres. */
export type PackageSize = readonly [length: number, width: number, height: number]

const millimetres = z.int().check(z.minimum(1), z.maximum(10_000))

/** {@link PackageSize} as it is kept. */
export const sizeSchema: z.ZodMiniType<PackageSize> = z.tuple([
  millimetres,
  millimetres,
  millimetres,
])

/** Who made a product: what Regulation (EU) 2023/988, art. 19, wants in an offer online. */
export type Maker = {
  readonly name: string
  /** The postal address, a line. */
  readonly address: string
  /** An email address, or the address of a page with a form. */
  readonly contact: string
}

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

/** {@link Maker} as it is kept. */
export const makerSchema: z.ZodMiniType<Maker> = z.strictObject({
  name: text(160),
  address: text(300),
  contact: text(254),
})

/** What a customs form says of goods: the tariff number and the country of origin. */
export type Customs = { readonly code: string; readonly origin: string }

/** {@link Customs} as it is kept. */
export const customsSchema: z.ZodMiniType<Customs> = z.strictObject({
  /** Harmonised System: six digits, or more of the national tariff. */
  code: z.string().check(z.regex(/^\d{6,10}$/, 'A tariff number of 6 to 10 digits')),
  origin: z.string().check(z.regex(/^[A-Z]{2}$/, 'A country such as FI')),
})
