import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { getProduct, listProducts } from '#shared/shop.ts'
import type { Http } from '../feature.ts'
import type { Catalogue } from './catalogue.ts'
import type { Storefront } from './storefront.ts'
import type { VisitorCarts } from './visitor-carts.ts'

/** The endpoints of the shop (docs/contract.md, Shop). */
export function shopRoutes(
  { endpoints }: Http,
  {
    catalogue,
    storefront,
    visitorCarts,
  }: { catalogue: Catalogue; storefront: Storefront; visitorCarts: VisitorCarts },
): void {
  endpoints.serve(listProducts, { limit: 'read', access: 'public' }, storefront.list)
  endpoints.serve(getProduct, { limit: 'read', access: 'public' }, async ({ handle }) => {
    const product = await storefront.product(handle)
    if (product) return product
    const movedTo = catalogue.movedTo(handle)
    if (movedTo === null) throw failure('missing')
    return { movedTo: paths.product(movedTo) }
  })
  visitorCarts.routes(endpoints)
}
