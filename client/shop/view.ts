import type { ProductCategory, ProductKind, ProductSort } from '#shared/shop/limits.ts'
import { paths } from '#shared/paths.ts'

/** What the list is asked for, as its address has it. */
export type View = {
  category?: ProductCategory
  kind?: ProductKind
  sort?: ProductSort
  q?: string
  /** Prices without VAT, as companies compare them. */
  prices?: 'net'
  page?: string
}

/** The names of the groups. */
export const categoryTitles: Readonly<Record<ProductCategory, string>> = {
  prints: 'Prints',
  licences: 'Photo licences',
  files: 'Digital files',
  services: 'Services',
}

/** The names of the kinds. */
export const kindTitles: Readonly<Record<ProductKind, string>> = {
  physical: 'By post',
  digital: 'Download',
  service: 'Service',
}

/** The names of the orders. */
export const sortTitles: Readonly<Record<ProductSort, string>> = {
  featured: 'Featured',
  newest: 'Newest',
  'price-up': 'Price, low to high',
  'price-down': 'Price, high to low',
  title: 'Title',
}

/**
 * The address of a view with some of it changed, on its first page where nothing else is said. The
 * names are in the order of the alphabet, which is the spelling that the server does not redirect.
 */
export function viewHref(
  view: View,
  changes: { [Name in keyof View]?: View[Name] | undefined },
): string {
  const { category, kind, page, prices, q, sort } = { ...view, page: undefined, ...changes }
  const fields = { category, kind, page, prices, q, sort: sort === 'featured' ? undefined : sort }
  return paths.shop(fields)
}

/** A product's page, in the kind of prices that the visitor looks at. */
export const productHref = (handle: string, isNet: boolean) =>
  `${paths.product(handle)}${isNet ? '?prices=net' : ''}`
