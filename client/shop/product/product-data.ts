import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import type { Entries, FieldErrors } from '#shared/forms/form.ts'
import { toResult } from '#shared/forms/result.ts'
import { shareImage } from '#shared/seo/share-image.ts'
import { imageSet } from '#shared/images.ts'
import { getCart, getProduct, setCartLine, type WallView } from '#shared/shop/shop.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import {
  postedEntries,
  refusalOf,
  sendBack,
  wholeNumber,
  type FormAnswer,
} from '../../forms/form-action.ts'
import { siteOf, type Site } from '../../site/data/loading.ts'
import { shownPicture } from '../../ui/pictures/shown-picture.ts'
import { cartAfter } from '../cart/cart-address.ts'
import { inTurn } from '../cart/in-turn.ts'
import { productPreview } from '../list/list-loader.ts'

/** A product; a former handle leads to the present one for good. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const { search, searchParams: query } = new URL(args.request.url)
  const found = await api(getProduct, { handle: args.params.handle ?? '' })
  if ('movedTo' in found) throw redirect(found.movedTo + search, 301)
  const { pictures, related, ...product } = found
  const [first] = pictures
  const asked = product.variants.find(({ variant }) => variant === query.get('variant'))
  const free = product.variants.find(({ soldOut }) => !soldOut)
  return {
    ...product,
    pictures: pictures.flatMap((picture, index) => {
      const large = shownPicture(picture, '4:5', { isFirst: index === 0, isSmall: index > 0 })
      const whole = shownPicture(picture)
      return large && whole ? [{ large, whole }] : []
    }),
    shared: first ? shareImage(first) : null,
    related: related.map((each) => productPreview(each)),
    variants: product.variants.map(({ wall, ...variant }) => ({
      ...variant,
      wall: wall ? wallOf(wall) : null,
    })),
    // Who asks for a variant sees how it looks.
    isInRoom: asked?.wall !== undefined,
    isNet: query.get('prices') === 'net',
    chosen: (asked ?? free ?? product.variants[0])?.variant ?? null,
  }
}

/** A print on a wall with the address of what hangs there, which is small in its room. */
const wallOf = ({ picture, ...wall }: WallView) => ({
  ...wall,
  src: imageSet(picture, { widths: [640] }).src,
})

/** The data of a product's page. */
export type ProductData = Awaited<ReturnType<typeof loader>>

const { maxQuantity } = shopLimits

/** How many pieces of a variant were in the cart before the press that wasn't answered; see the action. */
function heldOf(text: string | undefined, variant: string): number | undefined {
  const [held, of] = text?.split(' ') ?? []
  return of === variant && /^\d{1,3}$/.test(held ?? '') ? Number(held) : undefined
}

/** Milliseconds in which one more press of the same, such as a double click, is the one before it. */
const samePress = 5_000

/** The press that this tab is waiting for. */
let pressed: { what: string; at: number; answer: ReturnType<typeof add> } | null = null

/** Puts pieces into the cart in addition to those that are there, and leads to it. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const handle = args.params.handle ?? ''
  const posted = await postedEntries(args.request)
  if (import.meta.env.SSR) return add(api, handle, posted)
  const what = JSON.stringify([handle, posted])
  const at = performance.now()
  if (pressed?.what !== what || at - pressed.at > samePress) {
    pressed = { what, at, answer: inTurn(() => add(api, handle, posted)) }
  }
  const own = pressed
  try {
    return await own.answer
  } finally {
    if (pressed === own) pressed = null
  }
}

async function add(
  api: Site['api'],
  handle: string,
  { held: heldBefore, ...entries }: Entries,
): Promise<Response | ReturnType<typeof sendBack>> {
  const { variant = '' } = entries
  const refuse = (errors: FieldErrors, status = 400, message: string | null = null) =>
    data<FormAnswer>({ entries, errors, message }, { status })
  const more = wholeNumber(entries.quantity)
  // One is always chosen; what is sold out isn't sent.
  if (!variant) return refuse({ variant: 'This one is sold out. Please choose another.' })
  if (!(more >= 1 && more <= maxQuantity)) {
    return refuse({ quantity: `Please choose a whole number from 1 to ${maxQuantity}` })
  }
  let held: number | undefined
  try {
    const before = await api(getCart, {})
    const there = before.lines.find((line) => line.handle === handle && line.variant === variant)
    // Pieces of a press whose answer was lost may be there already.
    const known = heldOf(heldBefore, variant)
    held = known ?? there?.quantity ?? 0
    // A licence is bought once, however often the button is pressed.
    const isThere = there?.licence !== undefined
    const wanted = isThere ? Math.max(held, 1) : held + more
    if (wanted > maxQuantity) {
      return refuse({
        quantity: `You already have ${held} in your cart. Maximum ${maxQuantity} per order.`,
      })
    }
    const { changes } = await api(setCartLine, { handle, variant, quantity: wanted })
    const isGone = (before.gone ?? []).length > 0
    const all = [...before.changes, ...changes]
    return redirect(
      toResult(
        cartAfter({ handle, variant }, all, { isGone, wasThere: isThere && known === undefined }),
      ),
      303,
    )
  } catch (thrown) {
    const status = thrown instanceof Error && 'status' in thrown ? thrown.status : null
    if (status === 404) {
      return refuse({ variant: 'This is no longer available. Please choose again.' }, 409)
    }
    const isUnanswered = held !== undefined && refusalOf(thrown).status >= 500
    return sendBack(thrown, { ...entries, ...(isUnanswered && { held: `${held} ${variant}` }) })
  }
}
