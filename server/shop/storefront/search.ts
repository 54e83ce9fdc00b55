import { paths } from '#shared/paths.ts'
import { searchText, type SearchSource } from '../../contributions/search-source.ts'
import type { ListedProduct } from './listed-products.ts'

/** What the search finds of the shop: products, by what their pages say, as the shop's own search does. */
export const productSearch = (shown: () => readonly ListedProduct[]): SearchSource => ({
  kind: 'products',
  label: 'Shop',
  read: async () =>
    shown().map(({ product }) => ({
      id: product.handle,
      title: product.title,
      tags: searchText(
        product.tags,
        product.variants.map((variant) => variant.title),
      ),
      intro: product.summary,
      path: paths.product(product.handle),
      picture: product.pictures[0] ?? null,
      body: () => Promise.resolve(product.description),
    })),
})
