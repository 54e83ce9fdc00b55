import { redirect, type LoaderFunctionArgs } from 'react-router'
import { getCheckoutForm } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { getCart } from '#shared/shop.ts'
import { siteOf } from '../site/loading.ts'
import { newSum } from '../site/sum.ts'
import { placedContext } from './already-ordered.tsx'

/** What is to be ordered, and the parts of the form that it needs; an empty cart has no checkout. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const cart = await api(getCart, {})
  if (cart.lines.length === 0 && !args.context.get(placedContext)) throw redirect(paths.cart())
  const [form, sum] = await Promise.all([api(getCheckoutForm, {}), newSum(api)])
  return { cart, form, sum, key: newKey() }
}

/** The data of the checkout. */
export type CheckoutData = Awaited<ReturnType<typeof loader>>

/** A key for one order: 128 bit, so that sending it twice is a repeat and not a second order. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
