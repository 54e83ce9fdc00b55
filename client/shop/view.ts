import type { ProductCategory, ProductKind, ProductSort } from '#shared/shop.ts'
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
  service: 'Carried out by us',
}

/** The names of the orders. */
export const sortTitles: Readonly<Record<ProductSort, string>> = {
  featured: 'Featured',
  newest: 'Newest',
  'price-up': 'Price, low to high',
  'price-down': 'Price, high to low',
  title: 'Title',
}

/** The address of a view with some of it changed, on its first page where nothing else is said. */
export const viewHref = (
  view: View,
  changes: { [Name in keyof View]?: View[Name] | undefined },
) => {
  const { sort, ...rest } = { ...view, page: undefined, ...changes }
  return paths.shop({
    ...present(rest),
    ...(sort && sort !== 'featured' && { sort }),
  })
}

/** A product's page, in the kind of prices that the visitor looks at. */
export const productHref = (handle: string, isNet: boolean) =>
  `${paths.product(handle)}${isNet ? '?prices=net' : ''}`

const present = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as Record<string, string>
