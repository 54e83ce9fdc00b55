import {
  createContext,
  data,
  redirect,
  replace,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { cartItems } from '#shared/shop/cart-items.ts'
import { euros } from '#shared/money.ts'
import { setDiscount } from '#shared/shop/discounts.ts'
import { missingAddress } from '#shared/shop/address-rules.ts'
import { checkForm, type Entries, type FieldErrors } from '#shared/forms/form.ts'
import {
  checkout,
  checkoutRequest,
  getCheckoutForm,
  type CheckoutRequest,
} from '#shared/shop/orders.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { getCart, quoteCart, type Cart } from '#shared/shop/shop.ts'
import { track } from '../../analytics/track.ts'
import {
  filledIn,
  postedEntries,
  refusalOf,
  wholeNumber,
  type FormAnswer,
} from '../../forms/form-action.ts'
import { cartFoundEmpty } from '../cart/cart-address.ts'
import { newSum, sumProblem, sumProof } from '../../forms/sum.ts'
import { randomHex } from '../../random-hex.ts'
import { siteOf, type Site } from '../../site/data/loading.ts'

/**
 * What the action had, for the loader that runs after it: a form, and perhaps a cart that was already
 * ordered. An empty cart is then explained.
 */
const sentContext = createContext<'form' | 'placed' | null>(null)

/**
 * The order and the form parts it needs; an empty cart has no checkout. The cart takes its place in the
 * history, since a step back from an order comes here, and the next has to lead further.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const cart = await api(getCart, {})
  const sent = args.context.get(sentContext)
  if (cart.lines.length === 0 && sent !== 'placed') {
    throw replace(sent === null ? paths.cart() : cartFoundEmpty)
  }
  const [form, sum] = await Promise.all([api(getCheckoutForm, {}), newSum(api)])
  return { cart, form, sum, key: randomHex() }
}

/** The data of the checkout. */
export type CheckoutData = Awaited<ReturnType<typeof loader>>

/** An existing order, with a link to its page. */
export type Placed = { order: string; href: string }

/** A cart priced for the country and the VAT id that were entered. */
export type Quote = Cart & { reverseCharge: boolean; vatIdProblem: string | null }

/** A checkout that came back: refused, or repriced. */
export type CheckoutAnswer = FormAnswer & {
  quote: Quote | null
  /** What became of the order that was shown, where fields are refused as well; null for nothing. */
  change: string | null
  /** The order that this cart already became. */
  placed: Placed | null
  /** Whether it was priced again while its fields are still being filled in. */
  isOnTheWay: boolean
  /** Whether the key was used for another order and may not be sent again. */
  isKeySpent: boolean
}

/** Places or reprices the order; on errors, the entries are kept. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  args.context.set(sentContext, 'form')
  const posted = await postedEntries(args.request)
  let entries: Entries = posted
  const answer = async (status: number, more: Partial<CheckoutAnswer>) => {
    const quote = more.quote === undefined ? await quoted(api, entries) : more.quote
    const isFields = status === 400 && !more.message
    return data<CheckoutAnswer>(
      {
        entries,
        errors: {},
        message: null,
        isKeySpent: false,
        isOnTheWay: entries.intent === 'reprice',
        placed: null,
        change: isFields && quote ? changeOf(entries, quote) : null,
        ...more,
        quote,
      },
      { status },
    )
  }
  const off =
    entries.intent === 'card-off'
      ? 'gift-card'
      : entries.intent === 'discount-off'
        ? 'discount'
        : undefined
  const discount = off ? '' : entries.discount?.trim()
  if (off || discount) {
    const problem = await codeProblem(api, discount ?? '', off)
    if (problem) return answer(problem.status, { errors: { discount: problem.message } })
    const { discount: _entered, ...others } = entries
    entries = others
    // The button used decides whether a changed total stops the order.
    if (entries.intent === undefined) {
      return answer(200, {
        message:
          'Your code is applied, so what’s left to pay has changed. Please check your order again.',
      })
    }
  }
  if (entries.intent !== undefined) {
    const quote = await quoted(api, entries)
    const problem = quote?.vatIdProblem
    return answer(200, { quote, errors: problem ? { vatId: problem } : {} })
  }
  const { value: request, errors: wrong } = checkForm(checkoutRequest, requestOf(entries), {
    more: { captcha: sumProblem(entries, { optional: true }) },
  })
  if (wrong) {
    const quote = await quoted(api, entries)
    const vatId = quote?.vatIdProblem
    const missing = await addressProblems(api, entries)
    return answer(400, { quote, errors: { ...(vatId && { vatId }), ...wrong, ...missing } })
  }
  try {
    const { next } = await api(checkout, request, { proof: await sumProof(entries) })
    if (!import.meta.env.SSR) track('order_placed')
    return redirect(wayTo(next, args.request), 303)
  } catch (thrown) {
    const { status, code, message, errors, details } = refusalOf(thrown)
    const placed = placedBefore(details, args.request)
    if (placed) args.context.set(sentContext, 'placed')
    return answer(status, { errors, message, isKeySpent: code === 'key', placed })
  }
}

/**
 * What the order is now and wasn't where the button was used. The form that comes back sends the new
 * total as the one that was shown, so it has to be said, also where only a field is wrong.
 */
function changeOf({ expectedTotal, expectedLines }: Entries, quote: Quote): string | null {
  const sorted = (items: string) => items.split(' ').toSorted().join(' ')
  if (expectedLines !== undefined && sorted(expectedLines) !== sorted(cartItems(quote.lines))) {
    return 'What’s in your cart has changed. Please check your order again.'
  }
  const shown = wholeNumber(expectedTotal)
  if (Number.isNaN(shown) || shown === quote.total) return null
  return `The total is ${euros(quote.total)} now. It was ${euros(shown)}. Please check your order again.`
}

/** Why a discount code or gift card can't be entered or taken off; null once it is. */
async function codeProblem(
  api: Site['api'],
  code: string,
  off: 'discount' | 'gift-card' | undefined,
): Promise<{ status: number; message: string } | null> {
  try {
    await api(setDiscount, { code: code.slice(0, 101), of: off })
    return null
  } catch (thrown) {
    const { status, reason, errors } = refusalOf(thrown)
    return { status, message: errors.discount ?? reason }
  }
}

/** Missing address fields of a shipped order, so that all errors show at once. */
async function addressProblems(api: Site['api'], entries: Entries): Promise<FieldErrors> {
  if (entries.delivery === 'pickup') return {}
  const form = await api(getCheckoutForm, {}).catch(() => null)
  if (!form?.needs.address) return {}
  const filled = filledIn(entries)
  return missingAddress({
    street: filled('street'),
    postcode: filled('postcode'),
    city: filled('city'),
    state: filled('state'),
    country: entries.country,
  })
}

/** An address of ours without its origin, so the page need not be left. */
function wayTo(address: string, { url }: Request): string {
  const { origin, pathname, search } = new URL(address)
  return origin === new URL(url).origin ? toResult(pathname + search) : address
}

const placedBefore = (
  { order, next }: Readonly<Record<string, unknown>>,
  request: Request,
): Placed | null =>
  typeof order === 'string' && typeof next === 'string'
    ? { order, href: wayTo(next, request) }
    : null

/** The cart for what was entered; null while it cannot be priced. */
const quoted = (api: Site['api'], entries: Entries): Promise<Quote | null> => {
  const optional = filledIn(entries)
  return api(quoteCart, {
    country: entries.country ?? 'FI',
    vatId: optional('vatId'),
    company: optional('company'),
    street: optional('street'),
    postcode: optional('postcode'),
    city: optional('city'),
    ...(entries.delivery === 'pickup' && { delivery: entries.delivery }),
  }).catch(() => null)
}

/** The request of the form, which may have mistakes. */
function requestOf(entries: Entries): Record<keyof CheckoutRequest, unknown> {
  const optional = filledIn(entries)
  const { key = '', email = '', name = '', country = '', payment = '' } = entries
  return {
    key,
    email,
    name,
    company: optional('company'),
    vatId: optional('vatId'),
    street: optional('street'),
    street2: optional('street2'),
    postcode: optional('postcode'),
    city: optional('city'),
    state: optional('state'),
    phone: optional('phone'),
    country,
    delivery: entries.delivery === 'pickup' ? entries.delivery : undefined,
    payment,
    // A box that is not ticked is refused with its own sentence.
    terms: Boolean(entries.terms),
    digitalWaiver: entries.digitalWaiver ? true : undefined,
    beginEarly: entries.beginEarly ? true : undefined,
    expectedTotal: wholeNumber(entries.expectedTotal),
    expectedGiftCard: wholeNumber(entries.expectedGiftCard ?? '0'),
    expectedLines: entries.expectedLines,
    expectedLicences: entries.expectedLicences,
    website: entries.website || undefined,
  }
}
