import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { book } from '../../support/bookings.ts'
import { makeClient, tryCode } from '../../support/clients.ts'
import { actForm, doAct, offers } from '../../support/desk-forms.ts'
import { saveEnquiry } from '../../support/enquiry.ts'
import { postForm } from '../../support/page-form.ts'
import { inPanel, share } from '../../support/shared-folder.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000
const path = '/desk/clients/nordic-rally-team'
const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const

/** The site with a client of one code, and the cookie of someone at the desk. */
async function withClient() {
  const site = await startSite({ renderer: await builtRenderer(dist), sending: false })
  const made = await makeClient(site, { emails: ['aino@example.com'], label: 'Aino’s phone' })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  return { site, ...made, cookie: { Cookie: headers.Cookie! } }
}

/** A code as a page tells it. */
const codeIn = (text: string) => /The new code: ([A-Z\d]{5}-[A-Z\d]{5})/.exec(text)?.[1]

const stored = ({ context }: Site) => context.features.clients.findPanel('nordic-rally-team')!

test('a client has a page with its codes and what belongs to it, each leading to its page', async () => {
  const { site, client, code, cookie } = await withClient()
  await using _ = site
  await tryCode(site, code)
  await saveEnquiry(site)
  await book(site, { email: 'AINO@example.com' })
  const { order } = await orderByInvoice(site, [print])
  const folder = await share(site, 'rally', { 'a.txt': 'a' }, { client: null })
  await inPanel(site, client.id, folder)
  const { text, headers, status } = await site.get(path, { headers: cookie })
  expect(status).toBe(200)
  expect(headers['cache-control']).toContain('no-store')
  expect(headers['x-robots-tag']).toContain('noindex')
  expect(text).toContain('Nordic Rally Team</h1>')
  expect(text).toContain('href="/desk/people/aino@example.com"')
  expect(text).toContain('Aino’s phone')
  expect(text).toMatch(/view, download · works · last used \d/)
  expect(text).not.toContain(code)
  for (const href of [`/desk/folders/${folder.key}`, `/desk/orders/${order}`, '/desk/tickets/']) {
    expect(text).toContain(`href="${href}`)
  }
  for (const title of ['Folders', 'Bookings', 'Orders', 'Tickets']) {
    expect(text).toContain(`<h2>${title}</h2>`)
  }
  const found = await site.get('/desk?q=nordic', { headers: cookie })
  expect(found.text).toContain(`href="${path}"`)
})

test('staff change name and addresses, and the history says who did', async () => {
  const { site, cookie } = await withClient()
  await using _ = site
  const stale = actForm((await site.get(path, { headers: cookie })).text, 'rename')
  const empty = await doAct(site, path, 'rename', { cookie, fields: { name: ' ' } })
  expect(empty.status).toBe(400)
  expect(empty.text).toContain('Please enter a name')
  const named = await doAct(site, path, 'rename', {
    cookie,
    fields: { name: 'Kaamos', season: '' },
  })
  expect([named.status, named.headers.location]).toEqual([303, `${path}#result`])
  expect(stored(site)).toMatchObject({ name: 'Kaamos', season: null })
  expect((await postForm(site, path, { ...stale, name: 'Other' }, cookie)).status).toBe(409)
  const emails = (typed: string) =>
    doAct(site, path, 'emails', { cookie, fields: { emails: typed } })
  const wrong = await emails('aino@example.com\nnot an address')
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('This isn’t an email address: not')
  expect((await emails('A@example.com, a@EXAMPLE.com;\r\nb@example.com')).status).toBe(303)
  expect(stored(site).emails.toSorted()).toEqual(['a@EXAMPLE.com', 'b@example.com'])
  expect((await emails(Array.from({ length: 21 }, (_x, n) => `a${n}@b.fi`).join(' '))).status).toBe(
    400,
  )
  expect((await emails('')).status).toBe(303)
  expect(stored(site).emails).toEqual([])
  expect((await site.get(path, { headers: cookie })).text).toContain('Noora: changed')
})

test('a new code is shown once with a text to send, and no log has it', async () => {
  const { site, client, cookie } = await withClient()
  await using _ = site
  const page = await site.get(path, { headers: cookie })
  const form = actForm(page.text, 'code')
  expect(form).toMatchObject({ 'scope-view': 'on', 'scope-download': 'on', 'scope-select': 'on' })
  const { 'scope-view': _v, 'scope-download': _d, 'scope-select': _s, ...none } = form
  const nothing = await postForm(site, path, { ...none, ends: '2020-01-01', label: 'Eero' }, cookie)
  expect(nothing.status).toBe(400)
  const refused = actForm(nothing.text, 'code')
  // What was not ticked stays so.
  expect(refused).not.toHaveProperty('scope-view')
  expect(refused).toMatchObject({ label: 'Eero', ends: '2020-01-01' })
  const blind = await postForm(site, path, { ...none, 'scope-manage': 'on' }, cookie)
  expect([blind.status, blind.text.includes('the rest opens nothing without it')]).toEqual([
    400,
    true,
  ])
  const over = await postForm(site, path, { ...form, ends: '2020-01-01' }, cookie)
  expect([over.status, over.text.includes('That day is over')]).toEqual([400, true])
  const sent = { ...form, label: 'Eero', ends: '2026-12-31', 'scope-ops': 'on', 'scope-desk': 'on' }
  const made = await postForm(site, path, sent, cookie)
  expect(made.status).toBe(200)
  expect(made.headers['cache-control']).toContain('no-store')
  const code = codeIn(made.text)!
  expect(made.text).toContain(`Sign in at ${site.context.config.siteUrl}/panel/nordic-rally-team`)
  expect(made.text).toContain(`Your code: ${code}`)
  const [row] = site.context.features.clients.codes.list(client.id).slice(-1)
  // The day in Helsinki is over when the next one begins.
  expect(row).toMatchObject({
    label: 'Eero',
    scopes: ['view', 'download', 'select'],
    expiresAt: Date.parse('2027-01-01T00:00:00+02:00'),
  })
  // Sending the form again, as a reload does, makes no other one and tells none.
  const again = await postForm(site, path, sent, cookie)
  expect(again.status).toBe(409)
  const after = await site.get(path, { headers: cookie })
  for (const { text } of [again, after]) expect(text).not.toContain(code)
  expect(after.text).toContain('Noora: code created')
  expect((await tryCode(site, code)).status).toBe(200)
  const log = site.logLines().join('\n')
  expect(log).not.toContain(code)
  expect(log).not.toContain(code.replace('-', ''))
})

test('a code is replaced, ends another day, and is disabled', async () => {
  const { site, client, codeId, code, cookie } = await withClient()
  await using _ = site
  const { codes } = site.context.features.clients
  const act = (name: string, fields: Record<string, string>) =>
    doAct(site, path, name, { cookie, fields })
  expect((await act('extend', { code: String(codeId), ends: '2026-12-01' })).status).toBe(303)
  expect(codes.find(codeId)?.expiresAt).toBe(Date.parse('2026-12-02T00:00:00+02:00'))
  const replaced = await act('replace', { code: String(codeId) })
  expect(replaced.status).toBe(200)
  const next = codeIn(replaced.text)!
  expect((await tryCode(site, code)).status).toBe(401)
  expect((await tryCode(site, next)).status).toBe(200)
  // A revoked one can't be chosen any more, nor one of another client.
  const other = await makeClient(site, { name: 'Other', panel: 'other' })
  for (const foreign of [codeId, other.codeId, '1e0', '', ' 1']) {
    expect((await act('replace', { code: String(foreign) })).status).toBe(400)
    expect((await act('revoke', { code: String(foreign) })).status).toBe(400)
  }
  expect(codes.find(other.codeId)?.revokedAt).toBeNull()
  const [current] = codes.list(client.id).slice(-1)
  expect((await act('revoke', { code: String(current!.id) })).status).toBe(303)
  expect((await tryCode(site, next)).status).toBe(401)
  const { text } = await site.get(path, { headers: cookie })
  expect(offers(text, 'revoke')).toBe(false)
  expect(text).toContain('Noora: code revoked')
})

test('a client is disabled, enabled and removed', async () => {
  const { site, code, cookie } = await withClient()
  await using _ = site
  const act = (name: string, fields: Record<string, string> = {}) =>
    doAct(site, path, name, { cookie, fields })
  expect((await act('disable')).status).toBe(303)
  expect((await tryCode(site, code)).status).toBe(401)
  expect((await act('enable')).status).toBe(303)
  expect((await tryCode(site, code)).status).toBe(200)
  const unsure = await act('remove')
  expect(unsure.status).toBe(400)
  expect(unsure.text).toContain('Please tick the box to remove the client')
  const removed = await act('remove', { sure: 'on' })
  expect([removed.status, removed.headers.location]).toEqual([303, '/desk'])
  expect((await site.get(path, { headers: cookie })).status).toBe(404)
  expect((await tryCode(site, code)).status).toBe(401)
})

test('someone of staff who was shut out at the command line isn’t let in again at the desk', async () => {
  const { site, cookie } = await withClient()
  await using _ = site
  const { code } = await signIn(site, ['desk'], { name: 'Mika' })
  const { acts, findPanel } = site.context.features.clients
  await acts.setDisabled(findPanel('mika')!, true, 'root')
  const { text } = await site.get('/desk/clients/mika', { headers: cookie })
  expect(offers(text, 'enable')).toBe(false)
  const state = /name="state" value="([^"]+)"/.exec(text)![1]!
  const forged = await postForm(site, '/desk/clients/mika', { act: 'enable', state }, cookie)
  expect(forged.status).toBe(409)
  expect((await tryCode(site, code)).status).toBe(401)
})

test('at the desk no code of staff is made, replaced, extended or removed', async () => {
  const { site, cookie } = await withClient()
  await using _ = site
  const staff = '/desk/clients/noora'
  const { text } = await site.get(staff, { headers: cookie })
  for (const act of ['replace', 'extend', 'disable', 'remove'])
    expect(offers(text, act)).toBe(false)
  const state = /name="state" value="([^"]+)"/.exec(text)![1]!
  const forged = await postForm(site, staff, { act: 'remove', state, sure: 'on' }, cookie)
  expect(forged.status).toBe(409)
  const alone = actForm(text, 'code')
  const only = { act: alone.act!, state: alone.state!, 'scope-ops': 'on' }
  expect((await postForm(site, staff, only, cookie)).status).toBe(400)
  // A client's code beside it makes the form appear, but not for the one of staff.
  expect(codeIn((await postForm(site, staff, alone, cookie)).text)).toBeDefined()
  const { id } = site.context.features.clients.codes
    .list()
    .find(({ scopes }) => scopes.includes('desk'))!
  for (const act of ['replace', 'extend']) {
    const page = await doAct(site, staff, act, { cookie, fields: { code: String(id), ends: '' } })
    expect([page.status, codeIn(page.text)]).toEqual([400, undefined])
  }
  // A lost phone can't wait: staff end a code of staff, even their own.
  expect(
    (await doAct(site, staff, 'revoke', { cookie, fields: { code: String(id) } })).status,
  ).toBe(303)
  expect((await site.get(path, { headers: cookie })).text).toContain('Sign in with a staff code')
})

test('no other code opens the page of a client, and a revoked one changes nothing', async () => {
  const { site, code, cookie } = await withClient()
  await using _ = site
  const api = '/api/desk/things/clients/nordic-rally-team'
  const visitor = {
    Cookie: String((await tryCode(site, code)).headers['set-cookie']).split(';')[0]!,
  }
  const ops = await signIn(site, ['ops', 'links'], { name: 'Mika' })
  expect((await site.get(api)).status).toBe(401)
  for (const headers of [visitor, { Cookie: ops.headers.Cookie! }]) {
    expect((await site.get(api, { headers })).status).toBe(403)
    const { status, text } = await site.get(path, { headers })
    expect([status, text.includes('Aino’s phone')]).toEqual([200, false])
    expect(text).toContain('Your code doesn’t open the desk.')
  }
  for (const id of [
    'none',
    'NORDIC-RALLY-TEAM',
    'nordic-rally-team%00',
    '1',
    'a'.repeat(5000),
    '%2e%2e',
  ]) {
    expect((await site.get(`/api/desk/things/clients/${id}`, { headers: cookie })).status).toBe(404)
  }
  const form = actForm((await site.get(path, { headers: cookie })).text, 'rename')
  const { codes } = site.context.features.clients
  const desk = codes.list().find(({ scopes }) => scopes.includes('desk'))!
  await site.context.commit((tx) => codes.revoke(tx, desk.id))
  expect((await postForm(site, path, { ...form, name: 'Taken' }, cookie)).status).toBe(401)
  expect((await postForm(site, path, { ...form, name: 'Taken' })).status).toBe(401)
  expect(stored(site).name).toBe('Nordic Rally Team')
})

test('a code that has ended is told so', async () => {
  const { site, codeId, cookie } = await withClient()
  await using _ = site
  const fields = { code: String(codeId), ends: '2026-11-30' }
  expect((await doAct(site, path, 'extend', { cookie, fields })).status).toBe(303)
  site.clock.advance(20 * day)
  const staff = await signIn(site, ['desk'], { name: 'Mika' })
  const { text } = await site.get(path, { headers: { Cookie: staff.headers.Cookie! } })
  expect(text).toContain('expired · never used · ended 30 Nov 2026')
})
