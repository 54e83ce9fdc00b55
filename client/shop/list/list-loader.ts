import type { LoaderFunctionArgs } from 'react-router'
import { listProducts, type ProductCard } from '#shared/shop/shop.ts'
import { productCategories, productKinds, productSorts } from '#shared/shop/limits.ts'
import { siteOf } from '../../site/data/loading.ts'
import { shownPicture } from '../../ui/pictures/shown-picture.ts'
import { readOptional } from '../../site/data/optional-read.ts'
import type { View } from '../view.ts'

/** A page of the shop; null while the catalogue cannot be read. What an address asks wrongly is left out. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const view = viewOf(query)
  const { prices: _prices, page, ...filter } = view
  const products = await readOptional(
    site,
    site.api(listProducts, { ...filter, ...(page && { page: Math.min(Number(page), 100_000) }) }),
  )
  return {
    view,
    shop: products && {
      ...products,
      products: products.products.map((each, index) => productPreview(each, index < 2)),
    },
  }
}

/** The data of the shop's list. */
export type ShopData = Awaited<ReturnType<typeof loader>>

/**
 * A product as lists show it, its picture ready.
 * @param isFirst whether it's among those that the page begins with
 */
export const productPreview = ({ picture, ...card }: ProductCard, isFirst = false) => ({
  ...card,
  picture: shownPicture(picture, '4:5', isFirst),
})

/** What {@link productPreview} gives. */
export type ProductPreview = ReturnType<typeof productPreview>

function viewOf(query: URLSearchParams): View {
  const category = oneOf(productCategories, query.get('category'))
  const kind = oneOf(productKinds, query.get('kind'))
  const sort = oneOf(productSorts, query.get('sort'))
  const q = query.get('q')?.trim().slice(0, 100)
  const page = query.get('page') ?? ''
  return {
    ...(category && { category }),
    ...(kind && { kind }),
    ...(sort && { sort }),
    ...(q && { q }),
    ...(query.get('prices') === 'net' && { prices: 'net' as const }),
    ...(/^[1-9]\d*$/.test(page) && { page }),
  }
}

const oneOf = <Choice extends string>(choices: readonly Choice[], asked: string | null) =>
  choices.find((choice) => choice === asked)
