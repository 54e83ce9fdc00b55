import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { actForm, doAct, offers } from '../../support/desk-forms.ts'
import { makeClient, signIn as enter } from '../../support/clients.ts'
import { postForm } from '../../support/page-form.ts'
import { idsOf, inPanel, person, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import type { FolderChange } from '#server/folders/store.ts'

const hour = 3_600_000

/** The site with a shared folder of two files, and the cookie of someone at the desk. */
async function withFolder(change: FolderChange = {}) {
  const site = await startSite({ renderer: await builtRenderer(dist), sending: false })
  const folder = await share(site, 'rally', { 'a.txt': 'a', 'b.txt': 'b' }, change)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const path = `/desk/folders/${folder.key}`
  const act = (name: string, fields: Record<string, string> = {}) =>
    doAct(site, path, name, { cookie, fields })
  return { site, folder, cookie, path, act }
}

const stored = ({ context }: Site, id: string) => context.features.folders.store.find(id)

/** Sends picks as a visitor does. */
async function pick(site: Site, key: string, { name, comment }: { name: string; comment: string }) {
  const { store, favourites } = site.context.features.folders
  const folder = store.find(key)!
  const ids = idsOf(site, folder)
  await site.context.commit((tx) => {
    favourites.save(tx, folder, `hash of ${name}`, ids['a.txt']!, { heart: true })
    favourites.save(tx, folder, `hash of ${name}`, ids['b.txt']!, { comment })
    favourites.submit(tx, folder, `hash of ${name}`, { name, note: 'In a hurry' })
  })
}

test('a folder has a page with its facts, visits and the picks that were sent', async () => {
  const { site, folder, cookie, path } = await withFolder()
  await using _ = site
  const { client } = await makeClient(site)
  await inPanel(site, client.id, folder)
  await pick(site, folder.key, { name: 'Aino', comment: '<b>Brighter</b>' })
  const { text, headers, status } = await site.get(path, { headers: cookie })
  expect(status).toBe(200)
  expect(headers['cache-control']).toContain('no-store')
  expect(headers['x-robots-tag']).toContain('noindex')
  expect(text).toContain('Arctic Rally</h1>')
  expect(text).toContain(`href="/s/${folder.key}"`)
  expect(text).toContain('a code of its clients')
  expect(text).toContain('href="/desk/clients/nordic-rally-team"')
  expect(text).toContain('Favourites from Aino, round 1')
  expect(text).toContain('Folder favourites')
  expect(text).not.toMatch(/\bpicks?\b/i)
  expect(text).toContain('1 favourite, 1 comment')
  expect(text).toContain('In a hurry')
  expect(text).toContain('&lt;b&gt;Brighter&lt;/b&gt;')
  expect(text).toContain('Not opened yet')
  // What was sent is there to be read also once its file has been removed.
  expect(text).not.toContain('no longer in the folder')
  rmSync(join(site.dataDir, 'folders/rally/b.txt'))
  await site.context.features.folders.sync(folder)
  expect((await site.get(path, { headers: cookie })).text).toContain(
    'no longer in the folder\u00a0· &lt;b&gt;Brighter&lt;/b&gt;',
  )
  writeFileSync(join(site.dataDir, 'folders/rally/b.txt'), 'b')
  await site.context.features.folders.sync(folder)
  const { favourites } = site.context.features.folders
  // Staff who are about to remove files know that someone is still choosing.
  expect(text).not.toContain('not sent yet')
  const file = idsOf(site, folder)['a.txt']!
  await site.context.commit((tx) => favourites.save(tx, folder, 'other', file, { heart: true }))
  expect((await site.get(path, { headers: cookie })).text).toContain(
    '1 file marked by 1 visitor, not sent yet',
  )
  const found = await site.get('/desk?q=arctic', { headers: cookie })
  expect(found.text).toContain(`href="${path}"`)
  const log = site.logLines().join('\n')
  expect(log).not.toContain(folder.key)
  // A round that is reopened can be sent again.
  const [visitor] = favourites.visitors(folder.id)
  const reopened = (who: string) =>
    doAct(site, path, 'reopen', { cookie, fields: { visitor: who } })
  for (const foreign of ['999', '', '-1', '1e3']) {
    expect([400, 404]).toContain((await reopened(foreign)).status)
  }
  expect((await reopened(String(visitor!.id))).status).toBe(303)
  const after = (await site.get(path, { headers: cookie })).text
  expect(offers(after, 'reopen')).toBe(false)
  expect(after).toContain('Noora: favourites reopened')
  await pick(site, folder.key, { name: 'Aino', comment: 'Better' })
  expect((await site.get(path, { headers: cookie })).text).toContain(
    'Favourites from Aino, round 2',
  )
})

test('a visitor who looks at the gallery makes no form stale, staff who change it do', async () => {
  const { site, folder, cookie, path, act } = await withFolder()
  await using _ = site
  const form = actForm((await site.get(path, { headers: cookie })).text, 'rename')
  expect((await site.get(`/s/${folder.key}`, { headers: person })).status).toBe(200)
  const named = await postForm(site, path, { ...form, title: 'Ice Rally', client: '' }, cookie)
  expect([named.status, named.headers.location]).toEqual([303, `${path}#result`])
  expect(stored(site, folder.key)).toMatchObject({ title: 'Ice Rally', client: null })
  const stale = await postForm(site, path, { ...form, title: 'Other' }, cookie)
  expect(stale.status).toBe(409)
  expect(stale.text).toContain('Ice Rally</h1>')
  expect(stale.text).toContain('value="Other"')
  expect((await act('rename', { title: '' })).status).toBe(400)
  const { text } = await site.get(path, { headers: cookie })
  expect(text).toContain('1 view, 1 daily visitor')
  expect(text).toContain('Noora: changed')
})

test('a folder ends on the day that staff say, or never', async () => {
  const { site, folder, cookie, path, act } = await withFolder()
  await using _ = site
  expect((await act('ends', { ends: '2026-12-24' })).status).toBe(303)
  expect(stored(site, folder.key)?.expiresAt).toBe(Date.parse('2026-12-25T00:00:00+02:00'))
  const { text } = await site.get(path, { headers: cookie })
  expect(text).toContain('after 24 Dec 2026')
  expect(actForm(text, 'ends').ends).toBe('2026-12-24')
  const over = await act('ends', { ends: '2026-11-01' })
  expect([over.status, over.text.includes('That day is over')]).toEqual([400, true])
  expect((await act('ends', { ends: '2026-02-30' })).status).toBe(400)
  expect((await act('ends', { ends: '' })).status).toBe(303)
  expect(stored(site, folder.key)?.expiresAt).toBeNull()
})

test('a password is set, changed and removed, and is never shown again', async () => {
  const { site, folder, cookie, path, act } = await withFolder()
  await using _ = site
  const short = await act('password', { password: 'hush-42' })
  expect(short.status).toBe(400)
  expect(short.text).toContain('8 to 200 characters')
  expect(short.text).not.toContain('hush-42')
  const set = await act('password', { password: 'quiet-corner-7' })
  expect(set.status).toBe(303)
  expect((await site.get(`/s/${folder.key}`)).text).not.toContain('a.txt')
  const entered = await postForm(site, `/s/${folder.key}/password`, { password: 'quiet-corner-7' })
  expect(entered.headers.location).toBe(`/s/${folder.key}#result`)
  expect((await act('password', { password: 'other-corner-8' })).status).toBe(303)
  const page = await site.get(path, { headers: cookie })
  expect(page.text).toContain('its password')
  expect(page.text).not.toContain('corner')
  expect(site.logLines().join('\n')).not.toContain('corner')
  expect((await act('no-password')).status).toBe(303)
  expect(stored(site, folder.key)?.password).toBeNull()
  expect((await site.get(path, { headers: cookie })).text).toContain('the link alone')
})

test('of several who set a password at once, all but the first are told', async () => {
  const { site, folder, cookie, path } = await withFolder()
  await using _ = site
  const form = actForm((await site.get(path, { headers: cookie })).text, 'password')
  const passwords = ['quiet-corner-7', 'other-corner-8', 'third-corner-9']
  const sent = await Promise.all(
    passwords.map((password) => postForm(site, path, { ...form, password }, cookie)),
  )
  expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409, 409])
  expect(site.context.timeline.of('folder', String(folder.id))).toHaveLength(1)
})

test('an alias keeps its password', async () => {
  const { site, cookie, path } = await withFolder({
    alias: 'ice-rally',
    password: 'quiet-corner-7',
  })
  await using _ = site
  const { text } = await site.get(path, { headers: cookie })
  expect(text).toContain('href="/s/ice-rally"')
  expect(offers(text, 'no-password')).toBe(false)
})

test('a folder is disabled and enabled again', async () => {
  const { site, folder, act } = await withFolder()
  await using _ = site
  expect((await act('disable')).status).toBe(303)
  expect((await site.get(`/s/${folder.key}`)).status).toBe(410)
  expect((await act('enable')).status).toBe(303)
  expect((await site.get(`/s/${folder.key}`)).status).toBe(200)
})

test('a new address ends the old one and its alias, and panels and picks follow it', async () => {
  const { site, folder, cookie, path, act } = await withFolder({
    alias: 'ice-rally',
    password: 'quiet-corner-7',
  })
  await using _ = site
  const { client, code } = await makeClient(site)
  const other = await share(site, 'other', { 'c.txt': 'c' })
  await inPanel(site, client.id, other, folder)
  await pick(site, folder.key, { name: 'Aino', comment: 'Brighter' })
  const renewed = await act('renew')
  expect(renewed.status).toBe(303)
  const next = /^\/desk\/folders\/([0-9A-Za-z]{22})#result$/.exec(
    renewed.headers.location as string,
  )![1]!
  expect(next).not.toBe(folder.key)
  for (const old of [path, `/s/${folder.key}`, '/s/ice-rally']) {
    expect([old, (await site.get(old, { headers: cookie })).status]).toEqual([old, 404])
  }
  const { text } = await site.get(`/desk/folders/${next}`, { headers: cookie })
  expect(text).toContain('Favourites from Aino, round 1')
  expect(text).toContain('Noora: new address')
  const session = { Cookie: await enter(site, code), ...person }
  const panel = await site.get('/panel/nordic-rally-team', { headers: session })
  expect(panel.text).toContain(`/s/${next}`)
  expect(panel.text).toContain(`/s/${other.key}`)
  expect(panel.text).not.toContain(folder.key)
  expect((await site.get(`/s/${next}`, { headers: session })).text).toContain('a.txt')
})

test('no other right opens a folder at the desk, and names that are none find nothing', async () => {
  const { site, folder, cookie, path } = await withFolder()
  await using _ = site
  const api = `/api/desk/things/folders/${folder.key}`
  const client = await signIn(site, ['view', 'manage', 'links', 'ops'], { name: 'Client' })
  expect((await site.get(api)).status).toBe(401)
  expect((await site.get(api, { headers: client.headers })).status).toBe(403)
  const prompt = await site.get(path, { headers: { Cookie: client.headers.Cookie! } })
  expect([prompt.status, prompt.text.includes('Arctic')]).toEqual([200, false])
  for (const id of ['1', 'rally', folder.key.slice(1), `${folder.key}%00`, '..%2f', "'%20OR%201"]) {
    const { status } = await site.get(`/api/desk/things/folders/${id}`, { headers: cookie })
    expect([id, status]).toEqual([id, 404])
  }
  const form = actForm((await site.get(path, { headers: cookie })).text, 'disable')
  expect((await postForm(site, path, form)).status).toBe(401)
  expect((await postForm(site, path, form, { Cookie: client.headers.Cookie! })).status).toBe(403)
  site.clock.advance(8 * 24 * hour)
  // The session of staff is over.
  expect((await postForm(site, path, form, cookie)).status).toBe(401)
  expect(site.context.features.folders.acts.stateOf(stored(site, folder.key)!)).toBe('open')
})
