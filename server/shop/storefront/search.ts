import { paths } from '#shared/paths.ts'
import type { SearchSource } from '../../search-source.ts'
import type { ListedProduct } from './listed-products.ts'

/** What the search finds of the shop: products, by what their cards say. */
export const productSearch = (shown: () => readonly ListedProduct[]): SearchSource => ({
  kind: 'products',
  label: 'Shop',
  read: async () =>
    shown().map(({ product }) => ({
      id: product.handle,
      title: product.title,
      tags: product.tags.join(' · '),
      intro: product.summary,
      path: paths.product(product.handle),
      picture: product.pictures[0] ?? null,
    })),
})
