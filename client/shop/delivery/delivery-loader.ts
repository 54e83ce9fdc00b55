import type { LoaderFunctionArgs } from 'react-router'
import { getDelivery } from '#shared/shop/shop.ts'
import { siteOf } from '../../site/data/loading.ts'

/** Where the shop delivers to, and for how much. */
export const loader = (args: LoaderFunctionArgs) => siteOf(args).api(getDelivery, {})

/** The data of the page about delivery. */
export type DeliveryData = Awaited<ReturnType<typeof loader>>
