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
