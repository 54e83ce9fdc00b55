import { expect, test } from 'vitest'
import { deskPersonPath } from '#shared/desk/people.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { book } from '../../support/bookings.ts'
import { makeClient } from '../../support/clients.ts'
import { saveEnquiry } from '../../support/enquiry.ts'
import { postForm } from '../../support/page-form.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000
const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const

async function open() {
  const site = await startSite({ renderer: await builtRenderer(dist), sending: false })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  return { site, cookie: { Cookie: headers.Cookie! } }
}

/** The text of a fact on a page, without its markup. */
const factOf = (page: string, name: string) =>
  new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '')

test('a person’s page has who they are and everything of them in order of time', async () => {
  const { site, cookie } = await open()
  await using _ = site
  await makeClient(site, { emails: ['aino@example.com'] })
  const { order } = await orderByInvoice(site, [print])
  site.clock.advance(day)
  await saveEnquiry(site, { Name: 'A. Virtanen' })
  await saveEnquiry(site, { 'Ticket ID': 'other1', Email: 'eero@example.com', Name: 'Eero' })
  site.clock.advance(day)
  await book(site, { email: 'aino@example.com', phone: '+358 40 123 4567' })
  const { text, headers, status } = await site.get('/desk/people/aino@example.com', {
    headers: cookie,
  })
  expect(status).toBe(200)
  expect(headers['cache-control']).toContain('no-store')
  expect(headers['x-robots-tag']).toContain('noindex')
  expect(text).toContain('aino@<wbr/>example.com</h1>')
  expect(factOf(text, 'Names')).toContain('A. Virtanen')
  expect(factOf(text, 'Phone')).toContain('+358 40 123 4567')
  expect(factOf(text, 'Companies')).toContain('Nordic Rally Team')
  expect(factOf(text, 'Newsletter')).toBe('not subscribed')
  expect(factOf(text, 'First contact')).toContain('20 November 2026')
  expect(factOf(text, 'Last contact')).toContain('22 November 2026')
  expect(factOf(text, 'What we hold')).toBe('pitlane privacy export aino@example.com')
  expect(Number.parseInt(factOf(text, 'Open')!, 10)).toBeGreaterThanOrEqual(2)
  expect(text).not.toContain('Eero')
  const places = ['/desk/tickets/abc123', `/desk/orders/${order}`].map((href) =>
    text.indexOf(`href="${href}"`),
  )
  expect(places[0]).toBeGreaterThan(0)
  expect(places[1]).toBeGreaterThan(places[0]!)
  expect(text).toContain('href="/desk/clients/nordic-rally-team"')
  expect(text).not.toContain('<form method="post"')
})

test('the newsletter’s state is a fact', async () => {
  const { site, cookie } = await open()
  await using _ = site
  const people = [{ email: 'aino@example.com', name: 'Aino V.', status: 'subscribed', line: 1 }]
  await site.context.features.newsletter.acts.import(people, 'Asked at a fair', { by: 'mika' })
  const { text } = await site.get('/desk/people/aino@example.com', { headers: cookie })
  expect(factOf(text, 'Newsletter')).toBe('subscribed since 20 Nov 2026')
  expect(factOf(text, 'Names')).toBe('Aino V.')
})

test('former addresses lead to the new one, whoever opens them', async () => {
  const { site, cookie } = await open()
  await using _ = site
  for (const headers of [{}, cookie]) {
    const { status, headers: sent } = await site.get('/desk?email=%20AINO%2Bx@example.com%20', {
      headers,
    })
    expect([status, sent.location]).toEqual([302, '/desk/people/aino+x@example.com'])
  }
  expect((await site.get('/desk?email=', { headers: cookie })).text).toContain('>Today</h1>')
})

test('odd spellings of an address find the same person, and no more than an address is looked up', async () => {
  const { site, cookie } = await open()
  await using _ = site
  const odd = "o'b/rien+x{1}@example.com"
  await saveEnquiry(site, { Email: odd })
  const get = async (id: string) => {
    const found = await site.get(`/desk/people/${id}`, { headers: cookie })
    return found.status === 308 ? site.get(found.headers.location!, { headers: cookie }) : found
  }
  for (const id of [
    encodeURIComponent(odd),
    encodeURIComponent(odd.toUpperCase()),
    deskPersonPath(odd).slice('/desk/people/'.length),
    encodeURIComponent(`  ${odd}\t`),
  ]) {
    const { status, text } = await get(id)
    expect([id, status, text.includes('Race weekend in Imatra')]).toEqual([id, 200, true])
    expect(factOf(text, 'What we hold')).toBe(
      String.raw`pitlane privacy export &#x27;o&#x27;\&#x27;&#x27;b/rien+x{1}@example.com&#x27;`,
    )
  }
  const longest = `${'a'.repeat(242)}@example.com`
  expect(longest).toHaveLength(254)
  const none = await get(encodeURIComponent(longest))
  expect([none.status, factOf(none.text, 'On file')]).toEqual([
    200,
    'Nothing on file for this address.',
  ])
  for (const id of [`a${encodeURIComponent(longest)}`, '%20', 'a%00b@example.com', 'a%0Ab@b.fi']) {
    expect([id, (await get(id)).status]).toEqual([id, 404])
  }
  expect((await get('%E0%A4%A')).status).toBeLessThan(500)
  const script = await get(encodeURIComponent('<script>alert(1)</script>'))
  expect(script.text).not.toContain('<script>alert(1)')
})

test('nobody but staff sees a person, and nothing can be done there', async () => {
  const { site, cookie } = await open()
  await using _ = site
  await saveEnquiry(site)
  const path = '/desk/people/aino@example.com'
  const client = await signIn(site, ['view', 'manage', 'ops'], { name: 'Client' })
  const api = `/api/desk/things/people/aino%40example.com`
  expect((await site.get(api)).status).toBe(401)
  expect((await site.get(api, { headers: client.headers })).status).toBe(403)
  const strangers: Record<string, string>[] = [{}, { Cookie: client.headers.Cookie! }]
  for (const headers of strangers) {
    const { status, text } = await site.get(path, { headers })
    expect([status, text.includes('Virtanen')]).toEqual([200, false])
    expect(text).toContain('Enter your code')
    // Where a right code leads, without scripts.
    expect(text).toContain(`value="${path}"`)
  }
  const { json } = await site.get(api, { headers: cookie })
  const { state } = json as { state: string }
  const forged = await postForm(site, path, { act: 'remove', state }, cookie)
  expect(forged.status).toBe(409)
  expect(site.logLines().join('\n')).not.toMatch(/aino(?:@|%40)example/)
})

test('signing in without scripts leads to the person', async () => {
  const { site } = await open()
  await using _ = site
  const { code } = await signIn(site, ['desk'], { name: 'Mika' })
  const next = '/desk/people/aino@example.com'
  const sent = await postForm(site, '/client-zone', { secretCode: code, next })
  expect([sent.status, sent.headers.location]).toEqual([303, `${next}#result`])
  for (const elsewhere of ['/desk/../shop', '/desk//example.com', '/desk/%2e%2e/shop', '//b.fi']) {
    const { headers } = await postForm(site, '/client-zone', { secretCode: code, next: elsewhere })
    expect(headers.location).toBe('/panel/mika#result')
  }
})
