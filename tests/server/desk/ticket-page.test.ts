import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { postForm } from '../../support/page-form.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const open = async () => startSite({ renderer: await builtRenderer(dist) })

/** The hidden fields of the form for an act, as a browser sends them. */
function formOf(text: string, act: string): Record<string, string> {
  const form = text
    .split('<form ')
    .find((each) => each.includes(`name="act" value="${act}"`))!
    .split('</form>')[0]!
  const hidden = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries(Array.from(hidden, ([, name, value]) => [name!, value!]))
}

const cookieOf = ({ headers }: { headers: Record<string, string> }) => ({
  Cookie: headers.Cookie!,
})

const tokenIn = (site: Site, subject: string, path: string) =>
  new RegExp(`${path}([\\w-]+)`).exec(
    mailFiles(site.dataDir).find((mail) => mail.subject.includes(subject))!.text,
  )![1]!

test('a reply is sent from the page without scripts, and a stale form is shown again with its text', async () => {
  await using site = await open()
  await saveEnquiry(site)
  await settled(site)
  const noora = cookieOf(await signIn(site, ['desk'], { name: 'Noora' }))
  const mika = cookieOf(await signIn(site, ['desk'], { name: 'Mika' }))
  const page = await site.get('/desk/tickets/abc123', { headers: noora })
  expect(page.status).toBe(200)
  expect(page.headers['x-robots-tag']).toContain('noindex')
  expect(page.headers['cache-control']).toContain('no-store')
  expect(page.text).toContain('Race weekend in Imatra</h1>')
  const fields = formOf(page.text, 'reply')
  const sent = await postForm(
    site,
    '/desk/tickets/abc123',
    { ...fields, text: 'Yes, gladly.' },
    noora,
  )
  expect([sent.status, sent.headers.location]).toEqual([303, '/desk/tickets/abc123#result'])
  const { text, status } = await postForm(
    site,
    '/desk/tickets/abc123',
    { ...fields, key: 'another-key-of-mika', text: 'No, sorry.' },
    mika,
  )
  expect(status).toBe(409)
  expect(text).toContain('Noora: replied, new → answered')
  expect(text).toContain('>No, sorry.</textarea>')
  expect(text).toContain('Yes, gladly.')
  // The form shows the new state, so sending it again counts.
  const again: Record<string, string> = { ...formOf(text, 'reply'), text: 'No, sorry.' }
  expect(again.key).toBe('another-key-of-mika')
  expect((await postForm(site, '/desk/tickets/abc123', again, mika)).status).toBe(303)
})

test('a form that comes back for another reason is still the one from before a colleague’s change', async () => {
  await using site = await open()
  await saveEnquiry(site)
  const noora = cookieOf(await signIn(site, ['desk'], { name: 'Noora' }))
  const page = await site.get('/desk/tickets/abc123', { headers: noora })
  const fields = { ...formOf(page.text, 'assign'), assignee: 'x'.repeat(500) }
  const { actions } = site.context.features.contact
  await actions.assign('abc123', { assignee: 'Mika', state: null }, 'Mika')
  const wrong = await postForm(site, '/desk/tickets/abc123', fields, noora)
  expect(wrong.status).toBe(400)
  const mended = { ...formOf(wrong.text, 'assign'), assignee: 'Pekka' }
  const refused = await postForm(site, '/desk/tickets/abc123', mended, noora)
  expect([refused.status, refused.text.includes('nobody → Mika')]).toEqual([409, true])
  const again = { ...formOf(refused.text, 'assign'), assignee: 'Pekka' }
  expect((await postForm(site, '/desk/tickets/abc123', again, noora)).status).toBe(303)
})

test('the last change of a status is undone by a button beside it, once, and not after something else', async () => {
  await using site = await open()
  await saveEnquiry(site)
  const noora = cookieOf(await signIn(site, ['desk'], { name: 'Noora' }))
  const path = '/desk/tickets/abc123'
  const page = async () => (await site.get(path, { headers: noora })).text
  const undo = /name="act" value="undo"/
  const post = (fields: Record<string, string>) => postForm(site, path, fields, noora)
  expect(await page()).not.toMatch(undo)
  const send = async (act: string, more: Record<string, string> = {}) =>
    post({ ...formOf(await page(), act), ...more })
  expect((await send('status', { status: 'closed' })).status).toBe(303)
  const closed = await page()
  // Beside the entry that it's about.
  expect(closed.slice(closed.indexOf('new → closed'))).toMatch(undo)
  const form = formOf(closed, 'undo')
  expect((await post(form)).status).toBe(303)
  const { tickets } = site.context.features.contact
  expect(tickets.find('abc123')!.status).toBe('new')
  expect(site.context.timeline.of('ticket', 'abc123').at(-1)).toMatchObject({
    act: 'undone',
    actor: 'Noora',
    after: 'new',
  })
  expect(await page()).not.toMatch(undo)
  // The same form from another window, and a state that is right but has nothing to undo.
  expect((await post(form)).status).toBe(409)
  const current = { ...formOf(await page(), 'status'), act: 'undo' }
  const late = await post(current)
  expect([late.status, late.text.includes('the last change was undone')]).toEqual([409, true])
  await send('status', { status: 'closed' })
  const before = formOf(await page(), 'undo')
  await send('note', { text: 'Rang them.' })
  expect((await post(before)).status).toBe(409)
  expect(await page()).not.toMatch(undo)
  expect(tickets.find('abc123')!.status).toBe('closed')
})

test('a code that is revoked while its page is open sends nothing, and its text is not lost', async () => {
  await using site = await open()
  await saveEnquiry(site)
  const staff = await signIn(site, ['desk'], { name: 'Noora' })
  const page = await site.get('/desk/tickets/abc123', { headers: cookieOf(staff) })
  const { codes } = site.context.features.clients
  await site.context.commit((tx) => codes.revoke(tx, staff.codeId))
  const fields = { ...formOf(page.text, 'reply'), text: 'Yes, gladly.' }
  const { status, text } = await postForm(site, '/desk/tickets/abc123', fields, cookieOf(staff))
  expect(status).toBe(401)
  expect(text).toContain('Enter your code')
  expect(text).toContain('Yes, gladly.')
  expect(text).not.toContain('photographers')
  expect(site.context.features.contact.tickets.messages('abc123')).toEqual([])
})

test('the link in the notice opens the page without the rest of the desk', async () => {
  await using site = await open()
  await saveEnquiry(site)
  await settled(site)
  const token = tokenIn(site, 'abc123', '/desk/tickets/')
  const { status, text } = await site.get(`/desk/tickets/${token}`)
  // Everything that a form needs is asked for above its button.
  for (const [act, button] of [
    ['reply', 'Send reply'],
    ['status', 'Set status'],
    ['assign', 'Assign'],
    ['note', 'Add note'],
  ] as const) {
    const asked = text.indexOf(`id="${act}-name"`)
    expect([act, asked > 0 && asked < text.indexOf(`>${button}</button>`)]).toEqual([act, true])
  }
  expect(status).toBe(200)
  expect(text).toContain('We need two photographers')
  expect(text).not.toContain('role="search" action="/desk"')
  const fields = { ...formOf(text, 'reply'), text: 'Yes, gladly.', name: 'Mika' }
  expect((await postForm(site, `/desk/tickets/${token}`, fields)).status).toBe(303)
  expect(site.context.features.contact.tickets.messages('abc123')).toMatchObject([{ name: 'Mika' }])
  const other = await site.get('/desk/tickets/abc123')
  expect(other.text).toContain('Enter your code')
  expect(other.text).not.toContain('photographers')
  const names = site.logLines().join('\n')
  expect(names).not.toContain(token)
})

test('a visitor claims a message and adds to it without scripts', async () => {
  await using site = await open()
  await saveEnquiry(site)
  await settled(site)
  const path = `/ticket/${tokenIn(site, 'Thank you', '/ticket/')}`
  const first = await site.get(path)
  expect(first.headers['x-robots-tag']).toContain('noindex')
  expect(first.headers['referrer-policy']).toBe('no-referrer')
  expect(first.text).not.toMatch(/photographers|Imatra/)
  expect((await postForm(site, `${path}/claim`, {})).status).toBe(303)
  const { text } = await site.get(path)
  expect(text).toContain('photographers')
  const key = /name="key" value="(\w+)"/.exec(text)![1]!
  expect((await postForm(site, path, { key, text: 'And on Monday?' })).status).toBe(303)
  expect((await site.get(path)).text).toContain('And on Monday?')
  const empty = await postForm(site, path, { key: 'a-key-of-nothing-new', text: ' ' })
  expect(empty.status).toBe(400)
  expect(empty.text).toContain('Please write what you’d like to add')
})
