import { data, redirect, type ActionFunctionArgs } from 'react-router'
import { checkout, checkoutRequest, getCheckoutForm, type CheckoutRequest } from '#shared/orders.ts'
import { quoteCart, type Cart } from '#shared/shop.ts'
import { refusalOf } from '../site/refusal.ts'
import { siteOf, type Site } from '../site/loading.ts'
import { sumProblem, sumProof } from '../site/sum.ts'
import { placedContext, type Placed } from './already-ordered.tsx'
import { entriesOf, wholeNumber, type Entries } from './entries.ts'

/** A cart priced for the country and the VAT id that were entered. */
export type Quote = Cart & { reverseCharge: boolean; vatIdProblem: string | null }

/** What the checkout shows when it was refused, or priced again. */
export type CheckoutRefusal = {
  entries: Entries
  errors: Readonly<Record<string, string>>
  /** A sentence for what is wrong with no field. */
  message: string | null
  quote: Quote | null
  /** The order that this cart has become before. */
  placed: Placed | null
  /** Whether the key was used for another order and may not be sent again. */
  isKeySpent: boolean
}

/** Places the order, or prices it again; whatever is wrong, the entries come back. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const entries = await entriesOf(args.request)
  const refuse = async (refusal: Partial<CheckoutRefusal>, status: number) =>
    data<CheckoutRefusal>(
      {
        entries,
        errors: {},
        message: null,
        isKeySpent: false,
        placed: null,
        quote: await quoted(api, entries),
        ...refusal,
      },
      { status },
    )
  if (entries.intent === 'quote') {
    const quote = await quoted(api, entries)
    const problem = quote?.vatIdProblem
    return refuse({ quote, errors: problem ? { vatId: problem } : {} }, 200)
  }
  const request = requestOf(entries)
  const wrong: Record<string, string> = {}
  for (const { path, message } of checkoutRequest.safeParse(request).error?.issues ?? []) {
    wrong[String(path[0])] ??= message
  }
  const sum = sumProblem(entries, { optional: true })
  if (sum) wrong.captcha = sum
  if (Object.keys(wrong).length > 0) {
    const quote = await quoted(api, entries)
    const vatId = quote?.vatIdProblem
    const missing = await missingAddress(api, request)
    return refuse({ quote, errors: { ...(vatId && { vatId }), ...wrong, ...missing } }, 400)
  }
  try {
    const { next } = await api(checkout, request, { proof: await sumProof(entries) })
    return redirect(wayTo(next, args.request), 303)
  } catch (thrown) {
    const { status, code, message, errors, details } = refusalOf(thrown)
    const hasFields = Object.keys(errors).length > 0
    const placed = placedBefore(details, args.request)
    if (placed) args.context.set(placedContext, true)
    return refuse(
      { errors, message: hasFields ? null : message, isKeySpent: code === 'key', placed },
      status,
    )
  }
}

/** What the address lacks where something is sent, so that everything wrong is said at once. */
async function missingAddress(
  api: Site['api'],
  { street, postcode, city }: CheckoutRequest,
): Promise<Record<string, string>> {
  const form = await api(getCheckoutForm, {}).catch(() => null)
  if (!form?.needs.address) return {}
  return {
    ...(!street && { street: 'Please enter the street address' }),
    ...(!postcode && { postcode: 'Please enter the postal code' }),
    ...(!city && { city: 'Please enter the town' }),
  }
}

/** An address of ours without its origin, so that the page need not be left. */
function wayTo(address: string, { url }: Request): string {
  const { origin, pathname, search } = new URL(address)
  return origin === new URL(url).origin ? pathname + search : address
}

const placedBefore = (
  { order, next }: Readonly<Record<string, unknown>>,
  request: Request,
): Placed | null =>
  typeof order === 'string' && typeof next === 'string'
    ? { order, href: wayTo(next, request) }
    : null

/** The cart for what was entered; null while it cannot be priced. */
const quoted = (api: Site['api'], { country = 'FI', vatId = '' }: Entries): Promise<Quote | null> =>
  api(quoteCart, { country, ...(vatId.trim() && { vatId: vatId.trim() }) }).catch(() => null)

/** The request of the form, which may have mistakes. */
function requestOf(entries: Entries): CheckoutRequest {
  const optional = (name: string) => entries[name]?.trim() || undefined
  const { key = '', email = '', name = '', country = '', payment = '' } = entries
  return {
    key,
    email,
    name,
    company: optional('company'),
    vatId: optional('vatId'),
    street: optional('street'),
    postcode: optional('postcode'),
    city: optional('city'),
    country,
    payment: payment as CheckoutRequest['payment'],
    // A box that is not ticked is refused with its own sentence.
    terms: Boolean(entries.terms) as true,
    ...(entries.digitalWaiver && { digitalWaiver: true }),
    expectedTotal: wholeNumber(entries.expectedTotal),
    ...(entries.website && { website: entries.website }),
  }
}
