import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { getDelivery, getProduct, listProducts } from '#shared/shop/shop.ts'
import type { Http } from '../feature.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Storefront } from './storefront/storefront.ts'
import { deliveryAreas } from './cart/shipping.ts'
import type { VisitorCarts } from './cart/visitor-carts.ts'

/** The endpoints of the shop (docs/contract.md, Shop). */
export function shopRoutes(
  { endpoints, limit }: Http,
  {
    catalogue,
    storefront,
    visitorCarts,
    pickupAt,
  }: {
    catalogue: Catalogue
    storefront: Storefront
    visitorCarts: VisitorCarts
    /** Where goods are picked up; null where it isn't known. */
    pickupAt: () => Promise<string | null>
  },
): void {
  endpoints.serve(listProducts, { limit: 'read', access: 'public' }, storefront.list)
  endpoints.serve(getProduct, { limit: 'read', access: 'public' }, async ({ handle }) => {
    const product = await storefront.product(handle)
    if (product) return product
    const movedTo = catalogue.movedTo(handle)
    if (movedTo === null) throw failure('missing')
    return { movedTo: paths.product(movedTo) }
  })
  endpoints.serve(getDelivery, { limit: 'read', access: 'public' }, async () => ({
    areas: deliveryAreas(),
    pickup: await pickupAt(),
  }))
  visitorCarts.routes({ endpoints, limit })
}
