import type { CheckoutReply } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import type { Reply } from './send.ts'
import { csrfHeaders } from './send.ts'
import type { Site } from './site.ts'

/** A browser with a cart: its cookie goes with every request. */
export function shopper(site: Site, from = '127.0.0.1') {
  let cart = ''
  const keep = (reply: Reply) => {
    const set = [reply.headers['set-cookie'] ?? []].flat().find((each) => each.includes('cart='))
    if (set) cart = set.split(';', 1)[0]!
    return reply
  }
  const headers = () => ({ Cookie: [csrfHeaders.Cookie, cart].filter(Boolean).join('; ') })
  return {
    get: async (path: string) => keep(await site.get(path, { from, headers: headers() })),
    post: async (path: string, body: unknown) =>
      keep(await site.post(path, body, { from, headers: headers() })),
    /** Sets a line of the cart. */
    put: async (handle: string, variant: string, quantity: number) =>
      keep(
        await site.post(
          '/api/shop/cart',
          { handle, variant, quantity },
          { from, headers: headers() },
        ),
      ),
  }
}

let count = 0

/** A checkout as the form sends it, for an address in Finland. */
export const checkoutOf = (changes: Record<string, unknown> = {}) => ({
  key: `test-checkout-key-${(count += 1)}`,
  email: 'aino@example.com',
  name: 'Aino Virtanen',
  street: 'Mannerheimintie 1 A 2',
  postcode: '00100',
  city: 'Helsinki',
  country: 'FI',
  payment: 'invoice',
  terms: true,
  ...changes,
})

/** Orders something by invoice, as a visitor with a new cart. */
export async function orderByInvoice(
  site: Site,
  lines: readonly (readonly [handle: string, variant: string, quantity: number])[],
  changes: Record<string, unknown> = {},
): Promise<CheckoutReply> {
  const visitor = shopper(site)
  for (const line of lines) await visitor.put(...line)
  const { total } = (await visitor.get('/api/shop/cart')).json as Cart
  const body = checkoutOf({ expectedTotal: total, ...changes })
  const { status, json } = await visitor.post('/api/shop/checkout', body)
  if (status !== 201) throw new Error(`The order was answered with ${status}.`)
  return json as CheckoutReply
}
