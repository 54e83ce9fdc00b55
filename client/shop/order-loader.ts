import type { LoaderFunctionArgs } from 'react-router'
import { getOrder } from '#shared/orders.ts'
import { siteOf } from '../site/loading.ts'

/** The order of the token in the address; null without one. */
export async function loader(args: LoaderFunctionArgs) {
  const token = new URL(args.request.url).searchParams.get('order')
  if (!token) return { token: null, order: null }
  return { token, order: await siteOf(args).api(getOrder, { token }) }
}

/** The data of an order's page. */
export type OrderData = Awaited<ReturnType<typeof loader>>
