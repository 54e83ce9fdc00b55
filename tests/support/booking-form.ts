import { expect } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { inputsOf } from './page-form.ts'
import { startSite, type Site } from './site.ts'

/** A site with its pages, whose emails and jobs are asleep. */
export const open = async () => startSite({ renderer: await builtRenderer(dist), sending: false })

/** What a visitor without scripts fills in on the booking page as it was sent. */
export async function filledIn(site: Site, address = '/booking?service=photography') {
  const { status, text } = await site.get(address, { headers: { 'X-CSRF-TOKEN': '' } })
  expect(status).toBe(200)
  const shown = inputsOf(text)
  const fields: Record<string, string> = {
    ...shown,
    service: 'photography',
    from: '2027-01-20',
    to: '2027-01-21',
    place: 'Ice track of Rovaniemi',
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    terms: 'true',
    captcha: String(Number(shown.x) + Number(shown.y)),
  }
  // A person needs a moment for it.
  site.clock.advance(5000)
  return { text, fields }
}

/** All bookings of a site, by their first day. */
export const bookings = (site: Site) => [...site.context.features.bookings.actions.bookings.list()]
