import { expect } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { runOn } from './in-process-cli.ts'
import { checkoutOf, shopper } from './shop.ts'
import type { Site } from './site.ts'

/** A card as staff make it, with the code that is shown once. */
export async function newCard(
  site: Pick<Site, 'context'>,
  euros: string,
  ...more: string[]
): Promise<{ card: string; code: string; balance: number }> {
  const made: unknown = JSON.parse(await runOn(site, 'gift-cards', 'add', euros, ...more, '--json'))
  return made as { card: string; code: string; balance: number }
}

/** A card as `gift-cards show` has it. */
export const shownCard = async (
  site: Pick<Site, 'context'>,
  card: string,
): Promise<Record<string, unknown>> =>
  JSON.parse(await runOn(site, 'gift-cards', 'show', card, '--json')) as Record<string, unknown>

/** Enters a code in the one field of the cart. */
export const enter = (visitor: ReturnType<typeof shopper>, code: string) =>
  visitor.post('/api/shop/cart/discount', { code })

/** Orders a cart as it is shown now. */
export async function orderCart(
  visitor: ReturnType<typeof shopper>,
  changes: Record<string, unknown> = {},
) {
  const { total, giftCard } = (await visitor.get('/api/shop/cart')).json as Cart
  const body = checkoutOf({
    expectedTotal: total,
    expectedGiftCard: giftCard?.amount ?? 0,
    ...changes,
  })
  const reply = await visitor.post('/api/shop/checkout', body)
  return { ...reply, body, placed: reply.json as { order: string; token: string; next: string } }
}

/** What is wrong with a code that was entered. */
export const problem = ({ json }: { json: unknown }) =>
  (json as { errors?: { discount?: string } }).errors?.discount

/** Cents on a card. */
export const balance = async (site: Site, card: string) => (await shownCard(site, card)).balance

/** A visitor with a cart that a card pays, or a part of it. */
export async function withCard(
  site: Site,
  code: string,
  lines: readonly (readonly [string, string, number])[],
) {
  const visitor = shopper(site)
  for (const line of lines) await visitor.put(...line)
  const reply = await enter(visitor, code)
  expect(reply.status).toBe(200)
  return { visitor, cart: reply.json as Cart }
}
