import { data, redirect, type ActionFunctionArgs } from 'react-router'
import { getCart, setCartLine } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import { refusalOf } from '../site/refusal.ts'
import { siteOf } from '../site/loading.ts'
import { cartAfter } from './cart-address.ts'
import { entriesOf, wholeNumber, type Entries } from './entries.ts'

/** Why nothing was put into the cart. */
export type ProductRefusal = {
  errors: Readonly<Record<string, string>>
  /** A sentence for what is wrong with no field. */
  message: string | null
  entries: Entries
}

const { quantityMost } = shopLimits

/** Puts pieces into the cart beside those that are there, and leads to it. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const handle = args.params.handle ?? ''
  const entries = await entriesOf(args.request)
  const { variant = '' } = entries
  const refuse = (errors: ProductRefusal['errors'], status = 400, message: string | null = null) =>
    data<ProductRefusal>({ errors, message, entries }, { status })
  const more = wholeNumber(entries.quantity)
  if (!variant) return refuse({ variant: 'Please choose a variant' })
  if (!(more >= 1 && more <= quantityMost)) {
    return refuse({ quantity: `Please choose a whole number from 1 to ${quantityMost}` })
  }
  try {
    const before = await api(getCart, {})
    const held =
      before.lines.find((line) => line.handle === handle && line.variant === variant)?.quantity ?? 0
    if (held + more > quantityMost) {
      return refuse({
        quantity: `${held} of these are in your cart already, and one order takes at most ${quantityMost}.`,
      })
    }
    const { changes } = await api(setCartLine, { handle, variant, quantity: held + more })
    const isGone = (before.gone ?? []).length > 0
    return redirect(cartAfter(handle, [...before.changes, ...changes], { isGone }), 303)
  } catch (thrown) {
    const status = thrown instanceof Error && 'status' in thrown ? thrown.status : null
    if (status === 404) {
      return refuse({ variant: 'This can no longer be bought. Please choose again.' }, 409)
    }
    const refusal = refusalOf(thrown)
    return refuse(refusal.errors, refusal.status, refusal.message)
  }
}
