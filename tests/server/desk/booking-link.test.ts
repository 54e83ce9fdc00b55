import { expect, test } from 'vitest'
import { bookingAtDesk, deskSite } from '../../support/desk-booking.ts'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { actFields, postForm } from '../../support/page-form.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000

test('the token in staff’s mail opens this booking alone, asks for a name, and ends', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { staff, page, find, path } = await bookingAtDesk(site, cookie)
  const other = await bookingAtDesk(site, cookie)
  const byLink = `/desk/bookings/${staff}`
  const { status, text, headers } = await site.get(byLink)
  expect(status).toBe(200)
  expect(headers['x-robots-tag']).toContain('noindex')
  expect(text).not.toContain('role="search"')
  const form = actFields(text, 'confirm')
  expect((await postForm(site, byLink, form)).status).toBe(400)
  // A form that was shown for one booking says nothing about another.
  const strange = await postForm(site, `/desk/bookings/${other.staff}`, { ...form, by: 'Mika' })
  expect(strange.status).toBe(409)
  // The history has these names for others than staff, and a name is one line.
  const named = await postForm(site, byLink, { ...form, by: ' visitor\nNoora: paid ' })
  expect(named.status).toBe(303)
  expect(await page()).toContain('visitor Noora: paid: confirmed, requested → confirmed')
  const again = actFields((await site.get(byLink)).text, 'undo')
  expect((await postForm(site, byLink, { ...again, by: 'System' })).status).toBe(303)
  expect(await page()).toContain('System (staff): undone, confirmed → requested')
  expect(find().state).toBe('requested')
  expect((await site.get(path)).text).toContain('Sign in with a staff code')
  expect(site.logLines().join('\n')).not.toContain(staff)

  const declining = actFields((await site.get(byLink)).text, 'decline')
  await postForm(site, byLink, { ...declining, by: 'Mika' })
  site.clock.advance(29 * day)
  expect((await site.get(byLink)).status).toBe(200)
  site.clock.advance(2 * day)
  expect((await site.get(byLink)).status).toBe(410)
  expect((await postForm(site, byLink, { ...declining, by: 'Mika' })).status).toBe(410)
})

test('a cancellation that costs more by now than its form said is refused, and says so', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { staff, act, find } = await bookingAtDesk(site, cookie)
  await act('confirm')
  const byLink = `/desk/bookings/${staff}`
  site.clock.advance(Date.parse('2027-01-05T12:00Z') - site.clock())
  const form = { ...actFields((await site.get(byLink)).text, 'cancel'), by: 'Mika' }
  site.clock.advance(2 * day)
  const sent = await postForm(site, byLink, { ...form, because: 'customer' })
  expect(sent.status).toBe(409)
  expect(sent.text).toContain('At the client’s request: A cancellation fee of €445 + VAT')
  expect(find().state).toBe('confirmed')
})

test('every link of a staff mail works below /desk, and the page of the mail leads to the desk', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { staff, visitor, path } = await bookingAtDesk(site, cookie)
  await saveEnquiry(site)
  await settled(site)
  const ticket = /\/desk\/tickets\/([\w-]{44,})/.exec(
    mailFiles(site.dataDir).find(({ text }) => text.includes('/desk/tickets/'))!.text,
  )![1]!
  const to = async (token: string) => {
    const { status, headers } = await site.get(`/desk/${token}`)
    return [status, headers.location]
  }
  expect(await to(staff)).toEqual([302, `/booking/staff/${staff}`])
  expect(await to(ticket)).toEqual([302, `/desk/tickets/${ticket}`])
  expect((await to(visitor))[0]).toBe(404)
  expect((await to(`${staff}x`))[0]).toBe(404)

  const page = `/booking/staff/${staff}`
  expect((await site.get(page)).text).not.toContain('Open at the desk')
  expect((await site.get(page, { headers: cookie })).text).toContain(`href="${path}"`)
  const client = await signIn(site, ['view', 'manage'], { name: 'Client' })
  const seen = await site.get(page, { headers: { Cookie: client.headers.Cookie! } })
  expect([seen.status, seen.text.includes('Open at the desk')]).toEqual([200, false])
})

test('today, a search and a person lead to the booking’s page', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { path, reference } = await bookingAtDesk(site, cookie)
  for (const desk of ['/desk', `/desk?q=${reference}`, '/desk/people/aino@example.com']) {
    const { text } = await site.get(desk, { headers: cookie })
    expect([desk, text.includes(`href="${path}"`)]).toEqual([desk, true])
  }
  const typed = `/desk/bookings/${reference.toLowerCase()}`
  expect((await site.get(typed, { headers: cookie })).status).toBe(200)
})

test('no other right opens a booking at the desk', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { staff, visitor, reference, find } = await bookingAtDesk(site, cookie)
  const flipped = (staff.startsWith('A') ? 'B' : 'A') + staff.slice(1)
  const client = await signIn(site, ['view', 'manage'], { name: 'Client' })
  const headers = { Cookie: client.headers.Cookie! }
  const api = (id: string) => `/api/desk/things/bookings/${id}`
  const status = async (id: string, as = {}) => (await site.get(api(id), { headers: as })).status
  for (const id of [flipped, visitor, reference]) {
    expect([id, await status(id)]).toEqual([id, 401])
    expect([id, await status(id, headers)]).toEqual([id, 403])
  }
  for (const id of [flipped, visitor, 'B-22222222', '1', 'constructor', '%F0%9F%9A%97']) {
    expect([id, await status(id, cookie)]).toEqual([id, 404])
  }
  // The token of a booking is none of an order.
  expect((await site.get(`/api/desk/things/orders/${staff}`, { headers })).status).toBe(403)
  const sent = await site.post(
    api(reference),
    { act: 'confirm', state: 'x', entries: {} },
    { headers: { ...headers, ...client.headers } },
  )
  expect(sent.status).toBe(403)
  expect(find().state).toBe('requested')
})

test('a code that is revoked while its page is open decides nothing, and its text is not lost', async () => {
  const { site, cookie, codeId } = await deskSite()
  await using _ = site
  const { page, path, find } = await bookingAtDesk(site, cookie)
  const form = actFields(await page(), 'decline')
  const { codes } = site.context.features.clients
  await site.context.commit((tx) => codes.revoke(tx, codeId))
  const { status, text } = await postForm(site, path, { ...form, text: 'No crew left' }, cookie)
  expect(status).toBe(401)
  expect(text).toContain('No crew left')
  expect(text).not.toContain('Aino Virtanen')
  expect(find().state).toBe('requested')
})
