import { data, type ActionFunctionArgs } from 'react-router'
import { setCartLine, type PriceChange } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import { refusalOf } from '../site/refusal.ts'
import { siteOf } from '../site/loading.ts'
import { lineId } from './cart-address.ts'
import { entriesOf, wholeNumber } from './entries.ts'

/** What became of a change of the cart. */
export type CartOutcome = {
  /** Said by screen readers; null when it was refused. */
  done: string | null
  /** What is wrong, with the line that it is about. */
  wrong: { line: string; message: string } | null
  changes: readonly PriceChange[]
}

/**
 * Sets a line of the cart. Sending it again sets the same quantity, so the page answers at once and
 * can tell which prices have changed.
 */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const { handle = '', variant = '', quantity: typed, remove } = await entriesOf(args.request)
  const line = lineId({ handle, variant })
  const refuse = (message: string, status: number) =>
    data<CartOutcome>({ done: null, wrong: { line, message }, changes: [] }, { status })
  const quantity = remove ? 0 : wholeNumber(typed)
  if (!(quantity <= shopLimits.quantityMost)) {
    return refuse(`Please choose a whole number from 0 to ${shopLimits.quantityMost}`, 400)
  }
  try {
    const { lines, changes } = await api(setCartLine, { handle, variant, quantity })
    const set = lines.find((each) => lineId(each) === line)
    return data<CartOutcome>({
      done: set ? `${set.title}: ${set.quantity} in your cart.` : 'It is out of your cart.',
      wrong: null,
      changes,
    })
  } catch (thrown) {
    const isGone = thrown instanceof Error && 'status' in thrown && thrown.status === 404
    if (isGone) return refuse('This can no longer be bought.', 409)
    const { message, status, errors } = refusalOf(thrown)
    return refuse(errors.quantity ?? message, status)
  }
}
