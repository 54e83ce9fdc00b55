import * as z from 'zod/mini'
import { licenceTermsShape, type LicenceTerms } from '#shared/shop/licences.ts'
import { customsSchema, dispatchSchema, makerSchema, sizeSchema } from '#shared/shop/delivery.ts'
import { frames, type ProductCategory, type ProductKind } from '#shared/shop/limits.ts'
import {
  defineTable,
  flag,
  integer,
  json,
  made,
  nullable,
  text,
  textOf,
  type NewRowOf,
  type RowOf,
} from '../db/table.ts'
import type { ProductVat } from './catalogue/vat-classes.ts'

// Money is integer cents including VAT, times are milliseconds of the epoch.

const texts = json(z.array(z.string()))

const wallPrint = z.object({
  /** Centimetres, frame included. */
  width: z.number(),
  height: z.number(),
  frame: z.enum(frames),
  /** The id of the asset that hangs there. */
  picture: z.string(),
})

/** Cents including VAT for each piece, from a number of pieces on. */
const volumeSteps = z.array(z.object({ from: z.number(), price: z.number() }))

const variantLicence: z.ZodMiniType<Partial<LicenceTerms>> = z.partial(licenceTermsShape)

/** What the shop sells. */
export const products = defineTable('products', {
  id: made(integer()),
  handle: text(),
  title: text(),
  kind: textOf<ProductKind>(),
  category: textOf<ProductCategory>(),
  summary: text(),
  /** Rich text that has not been cleaned yet. */
  description: text(),
  vat: textOf<ProductVat>(),
  published: flag(),
  tags: texts,
  /** Ids of assets; the first one leads. */
  pictures: texts,
  madeToOrder: flag(),
  licence: nullable(text()),
  soldOutNote: nullable(text()),
  /** Working days from the payment until it leaves, at least and at most. */
  dispatch: nullable(json(dispatchSchema)),
  /** Who made it, where that is not the seller. */
  maker: nullable(json(makerSchema)),
  /** What buyers have to know to use it safely. */
  safety: nullable(text()),
  customs: nullable(json(customsSchema)),
  createdAt: integer(),
  changedAt: integer(),
})

/** Handles that a product had before; they lead to the one that it has now. */
export const productHandles = defineTable('product_handles', {
  handle: text(),
  product: integer(),
})

/** The ways to buy a product. */
export const variants = defineTable('variants', {
  id: integer(),
  product: integer(),
  variant: text(),
  title: text(),
  position: integer(),
  /** Pieces that no one has reserved; null where there is no end of them. */
  stock: nullable(integer()),
  /** Grams. */
  weight: nullable(integer()),
  sku: nullable(text()),
  /** Length, width and height of its package, in millimetres. */
  size: nullable(json(sizeSchema)),
  files: texts,
  /** What it says of its licence; what is left out is as the product's kind of licence has it. */
  licence: nullable(json(variantLicence)),
  /** How it looks on a wall; null for what does not hang there. */
  wall: nullable(json(wallPrint)),
  /** Volume prices, the fewest pieces first; null for none. */
  volume: nullable(json(volumeSteps)),
})

/** Every price that a variant ever had; none is changed afterwards. */
export const prices = defineTable('prices', {
  id: made(integer()),
  variant: integer(),
  price: integer(),
  fromAt: integer(),
  /** Of a reduction, which ends; null for a price that stands until the next one. */
  untilAt: nullable(integer()),
  recordedAt: integer(),
})

/** Carts, found by their cookie, of which only a hash is kept. */
export const carts = defineTable('carts', {
  id: integer(),
  tokenHash: text(),
  changedAt: integer(),
  /** The discount code that was entered, in its one spelling. */
  discount: made(nullable(text())),
  /** The gift card that was entered. */
  giftCard: made(nullable(integer())),
})

/** What is in a cart, with the price that was shown last. */
export const cartLines = defineTable('cart_lines', {
  id: made(integer()),
  cart: integer(),
  variant: integer(),
  quantity: integer(),
  seenPrice: integer(),
})

/** Codes that make goods cheaper; none is changed afterwards but ended. */
export const discounts = defineTable('discounts', {
  id: made(integer()),
  code: text(),
  /** Per cent; else `amount`, in cents including VAT. */
  percent: nullable(integer()),
  amount: nullable(integer()),
  /** What the goods that it is for have to cost together. */
  minimum: integer(),
  fromAt: integer(),
  untilAt: nullable(integer()),
  /** How many orders may use it; null for any number. */
  maxUses: nullable(integer()),
  /** How many of one mailbox may. */
  maxUsesEach: nullable(integer()),
  /** What it is for; null for everything. */
  category: nullable(textOf<ProductCategory>()),
  product: nullable(integer()),
  withoutLicences: flag(),
  madeAt: integer(),
  endedAt: made(nullable(integer())),
})

/** Which orders used a code. */
export const discountUses = defineTable('discount_uses', {
  id: made(integer()),
  discount: integer(),
  order: integer(),
  /** The cart of an order that waits for its payment by card, and may be placed again. */
  cart: nullable(integer()),
  /** A keyed hash; null once the code is over. */
  mailbox: nullable(text()),
  usedAt: integer(),
  /** When its order ended unpaid; then it does not count. */
  givenBackAt: made(nullable(integer())),
})

/** Gift cards: money that was paid before. */
export const giftCards = defineTable('gift_cards', {
  id: made(integer()),
  /** What people call it, such as `G-7K3M9QTX`; it pays nothing by itself. */
  number: text(),
  /** SHA-256 of the code, which is nowhere kept. */
  hash: text(),
  value: integer(),
  balance: integer(),
  /** For whom it is, as long as that is needed. */
  name: nullable(text()),
  email: nullable(text()),
  note: nullable(text()),
  madeAt: integer(),
  expiresAt: nullable(integer()),
  endedAt: made(nullable(integer())),
})

/** What was paid for a card, and, negative, what of it was paid back to its holder. */
export const giftCardMoney = defineTable('gift_card_money', {
  id: made(integer()),
  card: integer(),
  amount: integer(),
  paidOn: text(),
})

/** What a card pays of an order, from the moment that it is placed. */
export const giftCardUses = defineTable('gift_card_uses', {
  id: made(integer()),
  card: integer(),
  /** Null once the order is forgotten. */
  order: nullable(integer()),
  /** The cart of an order that waits for its payment by card, and may be placed again. */
  cart: nullable(integer()),
  amount: integer(),
  /** What of it is on the card again. */
  back: made(integer()),
  usedAt: integer(),
  backAt: made(nullable(integer())),
})

/** Who wants one email when a variant can be bought again. */
export const stockAlerts = defineTable('stock_alerts', {
  id: made(integer()),
  variant: integer(),
  email: text(),
  /** The mailbox in one spelling. */
  mailbox: text(),
  /** What its links are made of; 128 random bits. */
  secret: text(),
  askedAt: integer(),
  /** When its link was confirmed; null until then. */
  confirmedAt: nullable(integer()),
})

/** What the seller has registered for, by the day from which it counts. */
export const taxRegistrations = defineTable('tax_registrations', {
  name: textOf<'oss'>(),
  fromOn: text(),
  recordedAt: integer(),
})

/** A product's row. */
export type ProductRow = RowOf<typeof products>
/** A variant's row, without its prices. */
export type VariantRow = RowOf<typeof variants>
/** A discount code. */
export type Discount = RowOf<typeof discounts>
/** What a new code says of itself. */
export type NewDiscount = Omit<NewRowOf<typeof discounts>, 'madeAt'>
/** A gift card. */
export type GiftCard = RowOf<typeof giftCards>
/** What a card pays of an order. */
export type GiftCardUse = RowOf<typeof giftCardUses>
/** A wish for an email. */
export type StockAlert = RowOf<typeof stockAlerts>
/** A line of a cart. */
export type CartLineRow = RowOf<typeof cartLines>
