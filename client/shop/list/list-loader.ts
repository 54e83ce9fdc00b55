import { data, type LoaderFunctionArgs } from 'react-router'
import { listProducts, type ProductCard } from '#shared/shop/shop.ts'
import { productCategories, productKinds, productSorts } from '#shared/shop/limits.ts'
import { pageNumber } from '#shared/text/slug.ts'
import { siteOf } from '../../site/data/loading.ts'
import { shownPicture } from '../../ui/pictures/shown-picture.ts'
import { readOptional } from '../../site/data/optional-read.ts'
import type { View } from '../view.ts'

/**
 * A page of the shop; null while the catalogue cannot be read. An address that asks for what there is
 * not is 404, as in the other lists: it would be a second address of the page without it.
 */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const view = viewOf(query)
  const { prices: _prices, page, ...filter } = view
  const products = await readOptional(
    site,
    site.api(listProducts, { ...filter, ...(page && { page: Number(page) }) }),
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
  picture: shownPicture(picture, '4:5', { isFirst, isSmall: true }),
})

/** What {@link productPreview} gives. */
export type ProductPreview = ReturnType<typeof productPreview>

function viewOf(query: URLSearchParams): View {
  const category = oneOf(productCategories, query.get('category'))
  const kind = oneOf(productKinds, query.get('kind'))
  const sort = oneOf(productSorts, query.get('sort'))
  const q = query.get('q')?.trim().slice(0, 100)
  const page = pageNumber(query.get('page') ?? undefined)
  if (page === null) throw nothingThere()
  return {
    ...(category && { category }),
    ...(kind && { kind }),
    ...(sort && { sort }),
    ...(q && { q }),
    ...(query.get('prices') === 'net' && { prices: 'net' as const }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** @returns null for nothing asked, which is what an untouched field of the form sends */
function oneOf<Choice extends string>(choices: readonly Choice[], asked: string | null) {
  if (!asked) return null
  const choice = choices.find((each) => each === asked)
  if (!choice) throw nothingThere()
  return choice
}

const nothingThere = () => data(null, { status: 404, statusText: 'Not Found' })
