import {
  deliveryWays,
  productCategories,
  productKinds,
  productSorts,
  shopLimits,
  type Frame,
  type ProductCategory,
  type ProductKind,
} from './limits.ts'
import * as z from 'zod/mini'
import type { Picture } from '../content.ts'
import { endpoint, json } from '../endpoint.ts'
import { optionalLine } from '../forms/fields.ts'
import type { Dispatch } from './delivery-words.ts'

/** A price as people have to see it. */
export type Price = {
  gross: number
  net: number
  /** Percent, such as 25.5. */
  rate: number
  /** The lowest gross price of the 30 days before a reduction; null while there is none. */
  before: number | null
}

/** A product in a list. */
export type ProductCard = {
  handle: string
  title: string
  summary: string
  kind: ProductKind
  category: ProductCategory
  picture: Picture | null
  /** Of its cheapest variant. */
  price: Price
  /** Whether variants differ in price. */
  from: boolean
  soldOut: boolean
}

/** A page of the shop. */
export type ProductPage = {
  products: ProductCard[]
  total: number
  page: number
  pages: number
  /** How many products each filter would show. */
  counts: { category: Record<string, number>; kind: Record<string, number> }
  /** The query as it was searched, where a word of it is in no product; else null. */
  corrected: string | null
  /** Words that a search of this shop finds. */
  examples: string[]
}

/** The list of the shop: filtered, sorted and paged by its address; a page beyond the end is `missing`. */
export const listProducts = endpoint({
  method: 'GET',
  path: '/api/shop/products',
  input: z.object({
    category: z.optional(z.enum(productCategories)),
    kind: z.optional(z.enum(productKinds)),
    sort: z.optional(z.enum(productSorts)),
    q: z.optional(z.string().check(z.maxLength(100))),
    page: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(999_999))),
  }),
  output: json<ProductPage>(),
})

/** One way to buy a product. */
export type VariantView = {
  variant: string
  title: string
  price: Price
  /** Pieces left; null where there is no end of them. */
  stock: number | null
  soldOut: boolean
  /** The terms of its licence in one line; only of one that comes with a licence. */
  licence?: string
  /** How it looks on a wall, in centimetres with its frame; only of what hangs there. */
  wall?: WallView
  /** What a piece costs from a number of pieces on; only where that is less than its price. */
  volume?: { from: number; price: Price }[]
  /** The article number, where it has one. */
  sku?: string
  /** Grams with its packaging; only of what is sent. */
  weight?: number
}

/** A print on a wall. */
export type WallView = { width: number; height: number; frame: Frame; picture: Picture }

/** A product with everything that its page shows. */
export type ProductView = {
  handle: string
  title: string
  summary: string
  /** Safe HTML. */
  description: string
  kind: ProductKind
  category: ProductCategory
  tags: string[]
  pictures: Picture[]
  variants: VariantView[]
  /** Why nothing can be bought; null while something can. */
  soldOutNote: string | null
  /** Whether someone can ask for an email about what is sold out and may come back. */
  mayComeBack: boolean
  madeToOrder: boolean
  /** When it is delivered, in words. */
  delivery: string
  /** Working days from the payment until it leaves; null for what is not sent. */
  dispatch: Dispatch | null
  /** What sending the lightest of it costs, in words; null for what is not sent. */
  shipping: string | null
  /** Who made it and where they are reached, and what to know to use it safely; null where nothing is sent. */
  maker: { name: string; address: string; contact: string; safety: string | null } | null
  /** The licence that comes with it, with the version of its text. */
  licence: { name: string; version: string; summary: string } | null
  related: ProductCard[]
}

/** An area that the shop delivers to. Costs are cents including VAT, by the most that a parcel weighs. */
export type DeliveryArea = {
  name: string
  countries: string[]
  /** How long a parcel is on its way, in words. */
  transit: string
  costs: { grams: number; cost: number }[]
}

/** Where the shop delivers to, and for how much. */
export const getDelivery = endpoint({
  method: 'GET',
  path: '/api/shop/delivery',
  input: z.object({}),
  output: json<{ areas: DeliveryArea[]; pickup: string | null }>(),
})

/** One product, or where it has moved when its handle was changed. */
export const getProduct = endpoint({
  method: 'GET',
  path: '/api/shop/products/:handle',
  input: z.object({ handle: z.string().check(z.maxLength(120)) }),
  output: json<ProductView | { movedTo: string }>(),
})

/** One line of a cart; `unit` and `total` are cents including VAT. */
export type CartLine = {
  handle: string
  variant: string
  title: string
  quantity: number
  unit: number
  total: number
  /** What its licence allows, in one line; only of one that comes with a licence. */
  licence?: string
}

/** VAT of one rate, rounded once on its sum: `gross` is `net` + `vat`. */
export type VatSum = { rate: number; net: number; vat: number; gross: number }

/** A line whose price was another one when the cart was last looked at; cents. */
export type PriceChange = { handle: string; variant: string; was: number; now: number }

/** A line that cannot be bought any more. */
export type GoneLine = { handle: string; variant: string; title: string }

/** A discount of a cart. */
export type CartDiscount = {
  code: string
  /** Cents that it takes off; 0 where it does not apply. */
  amount: number
  /** Why it does not apply, in a sentence; null where it does. */
  problem: string | null
}

/** A gift card of a cart. It is a way to pay, so it changes neither the total nor its VAT. */
export type CartGiftCard = {
  number: string
  /** Cents that are on it. */
  balance: number
  /** Cents of the total that it pays; 0 where it pays nothing. */
  amount: number
  /** Why it pays nothing, in a sentence; null where it does. */
  problem: string | null
}

/** A cart, priced at this moment. `total` is its lines without the discount, and `shipping`. */
export type Cart = {
  success: true
  lines: CartLine[]
  currency: 'EUR'
  shipping: number
  total: number
  vat: VatSum[]
  changes: PriceChange[]
  /** What its discount code comes to; left out without one. */
  discount?: CartDiscount
  /** What its gift card pays; left out without one. */
  giftCard?: CartGiftCard
  /** Lines that have left the cart since it was last looked at, as they cannot be bought any more. */
  gone?: GoneLine[]
}

/** The cart of the visitor's cookie; an empty one where there is none. */
export const getCart = endpoint({
  method: 'GET',
  path: '/api/shop/cart',
  input: z.object({}),
  output: json<Cart>(),
})

const notAQuantity = `Please choose a whole number from 0 to ${shopLimits.maxQuantity}`

const name = (message: string) =>
  z.string(message).check(z.minLength(1, message), z.maxLength(120, message))

/** Sets a line of the cart to a quantity. */
export const cartChange = z.object({
  handle: name('Which product?'),
  variant: name('Please choose a variant'),
  quantity: z
    .number(notAQuantity)
    .check(
      z.int(notAQuantity),
      z.minimum(0, notAQuantity),
      z.maximum(shopLimits.maxQuantity, notAQuantity),
    ),
})

/** Sets a line; 404 for what there is not, 409 `stock` for more than there is. */
export const setCartLine = endpoint({
  method: 'POST',
  path: '/api/shop/cart',
  input: cartChange,
  output: json<Cart>(),
})

/**
 * Puts several lines into the cart, such as those of a saved one; pieces that are there already count.
 * What isn't sold any more is left out and counted as `left`; of what there are fewer of, all that are
 * left are put in, and the line counts as `fewer`.
 */
export const fillCart = endpoint({
  method: 'POST',
  path: '/api/shop/cart/lines',
  input: z.object({
    lines: z.array(cartChange).check(z.minLength(1), z.maxLength(shopLimits.maxLines)),
  }),
  output: json<Cart & { left: number; fewer: number }>(),
})

/** A country of delivery or of a company, ISO 3166-1 alpha-2. */
export const country = z
  .string('Please choose a country')
  .check(z.regex(/^[A-Z]{2}$/, 'Please choose a country'))

const notAVatId = 'Please enter a VAT ID, such as SE556677889901'

/** Prices the cart for a country and, where it earns reverse charge, a VAT id. */
export const quoteCart = endpoint({
  method: 'POST',
  path: '/api/shop/cart/quote',
  input: z.object({
    country,
    vatId: z.optional(z.string(notAVatId).check(z.maxLength(30, notAVatId))),
    // What else decides about VAT, as far as it has been entered.
    company: optionalLine(120),
    street: optionalLine(200),
    postcode: optionalLine(20),
    city: optionalLine(100),
    delivery: z.optional(z.enum(deliveryWays, 'Please choose delivery or pickup')),
  }),
  output: json<Cart & { reverseCharge: boolean; vatIdProblem: string | null }>(),
})
