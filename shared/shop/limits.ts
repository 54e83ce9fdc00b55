// Apart from the wire of the shop, whose checks pages need not load.

/** Bounds of the shop (docs/contract.md, Shop). Money is integer cents including VAT everywhere. */
export const shopLimits = {
  /** Pieces of one line; 0 takes the line away. */
  maxQuantity: 20,
  /** Different lines of one cart. */
  maxLines: 50,
  /** Days for which a cart is kept after its last change. */
  cartDays: 30,
  perPage: 24,
} as const

/** Decides about shipping, the right of withdrawal and how an order is fulfilled. */
export const productKinds = ['physical', 'digital', 'service'] as const
/** One of {@link productKinds}. */
export type ProductKind = (typeof productKinds)[number]

/** How goods reach their buyer. */
export const deliveryWays = ['parcel', 'pickup'] as const

/** The groups of the shop, in the order of its filters. */
export const productCategories = ['prints', 'licences', 'files', 'services'] as const
/** One of {@link productCategories}. */
export type ProductCategory = (typeof productCategories)[number]

/** The orders of the list; the first is the default. */
export const productSorts = ['featured', 'newest', 'price-up', 'price-down', 'title'] as const
/** One of {@link productSorts}. */
export type ProductSort = (typeof productSorts)[number]

/** What is around a print on a wall: nothing, the white edge of its paper, or a mat and a frame. */
export const frames = ['none', 'paper', 'oak', 'walnut', 'black'] as const
/** One of {@link frames}. */
export type Frame = (typeof frames)[number]
