import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { eventually } from '../../support/eventually.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { csrfHeaders } from '../../support/send.ts'
import { cookiesOf, idsOf, postForm, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const files = { 'day 1/PIT_0001.jpg': '1', 'day 1/PIT_0002.jpg': '2', 'PIT_0003.CR3': '3' }

/** Marks a file as a script of the page does; `cookie` is the browser's. */
async function mark(site: Site, id: string, change: Record<string, unknown>, cookie = '') {
  const reply = await site.post(`/api/folders/${id}/marks`, change, {
    headers: { Cookie: [csrfHeaders.Cookie, cookie].filter(Boolean).join('; ') },
  })
  const set = reply.headers['set-cookie']?.map((text) => text.split(';')[0]).join('; ')
  return { ...reply, cookie: set ?? cookie }
}

const view = async (site: Site, path: string, cookie: string) =>
  (await site.get(`/api/folders/${path}`, { headers: { Cookie: cookie } })).json as {
    files: { name: string; heart: boolean; comment: string | null }[]
    picks: {
      hearts: number
      gone: number
      comments: number
      submittedAt: string | null
      round: number
    }
    marked: { id: number | null; lost?: number; name: string }[]
    markedCount: number
    found: number
  }

test('hearts and comments are kept for the browser that made them, and for no other', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const ids = idsOf(site, folder)
  const first = await mark(site, folder.key, { file: ids['PIT_0003.CR3'], heart: true })
  expect(first.status).toBe(200)
  expect(first.headers['set-cookie']![0]).toMatch(/HttpOnly; SameSite=Lax/)
  const { cookie } = first
  const file = ids['day 1/PIT_0001.jpg']
  await mark(site, folder.key, { file, comment: ' Crop the left side. ' }, cookie)
  await mark(site, folder.key, { file, heart: true }, cookie)
  const mine = await view(site, folder.key, cookie)
  expect(mine.picks).toMatchObject({ hearts: 2, comments: 1, submittedAt: null })
  expect(mine.files.find(({ name }) => name === 'PIT_0001.jpg')).toMatchObject({
    heart: true,
    comment: 'Crop the left side.',
  })
  expect((await view(site, `${folder.key}?show=favourites`, cookie)).found).toBe(2)
  expect((await view(site, folder.key, '')).picks.hearts).toBe(0)
  await mark(site, folder.key, { file, heart: false, comment: '' }, cookie)
  expect((await view(site, folder.key, cookie)).picks).toMatchObject({ hearts: 1, comments: 0 })
})

test('picks stay with their pictures when files are renamed, renumbered, moved or retouched', async () => {
  await using site = await startSite()
  const { sync } = site.context.features.folders
  const folder = await share(site, 'rally', {
    'DSC_1.jpg': 'the jump',
    'DSC_2.jpg': 'the crash',
    'DSC_3.jpg': 'the podium',
    'DSC_4.jpg': 'the mist',
  })
  const ids = idsOf(site, folder)
  const picked = { 'DSC_1.jpg': 'jump', 'DSC_2.jpg': 'crash', 'DSC_3.jpg': 'podium' }
  let cookie = ''
  for (const [name, comment] of Object.entries(picked)) {
    const change = { file: ids[name], heart: true, comment }
    cookie = (await mark(site, folder.key, change, cookie)).cookie
  }
  const directory = join(site.dataDir, 'folders/rally')
  const rename = (from: string, to: string) =>
    renameSync(join(directory, from), join(directory, to))
  // The first is moved to a section, the others move up, and the last is retouched.
  mkdirSync(join(directory, 'Day 1'))
  rename('DSC_1.jpg', 'Day 1/Jump.jpg')
  rename('DSC_2.jpg', 'DSC_1.jpg')
  rename('DSC_3.jpg', 'DSC_2.jpg')
  writeFileSync(join(directory, 'DSC_2.jpg'), 'the podium')
  writeFileSync(join(directory, 'DSC_4.jpg'), 'the mist, warmer')
  expect(await sync(folder)).toMatchObject({ files: 4, added: 0, changed: 4, removed: 0 })
  const comments = async () =>
    Object.fromEntries(
      (await view(site, folder.key, cookie)).files.map(({ name, comment }) => [name, comment]),
    )
  expect(await comments()).toEqual({
    'Jump.jpg': 'jump',
    'DSC_1.jpg': 'crash',
    'DSC_2.jpg': 'podium',
    'DSC_4.jpg': null,
  })
  expect(idsOf(site, folder)['DSC_4.jpg']).toBe(ids['DSC_4.jpg'])

  // A copy is another file, and the picture itself keeps its pick.
  copyFileSync(join(directory, 'DSC_1.jpg'), join(directory, 'A copy.jpg'))
  expect(await sync(folder)).toMatchObject({ added: 1, changed: 0, removed: 0 })
  expect(await comments()).toMatchObject({ 'DSC_1.jpg': 'crash', 'A copy.jpg': null })
})

test('a forged cookie of picks is ignored', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  for (const value of [`j:["${'A'.repeat(22)}"]`, 'j:{}', 'x', "1' OR 1=1"]) {
    expect((await view(site, folder.key, `folder_picker=${value}`)).picks.hearts).toBe(0)
  }
})

test('a mark needs the token, a file of this folder and an open folder', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const other = await share(site, 'other', { 'b.jpg': 'b' }, { password: 'word' })
  const file = idsOf(site, folder)['PIT_0003.CR3']
  const foreign = idsOf(site, other)['b.jpg']
  const bare = await site.post(
    `/api/folders/${folder.key}/marks`,
    { file, heart: true },
    { headers: { 'X-CSRF-TOKEN': '' } },
  )
  expect(bare.status).toBe(403)
  expect((await mark(site, folder.key, { file: foreign, heart: true })).status).toBe(404)
  expect((await mark(site, other.key, { file: foreign, heart: true })).status).toBe(401)
  expect((await mark(site, 'nowhere', { file, heart: true })).status).toBe(404)
  expect((await mark(site, folder.key, { file, comment: 'x'.repeat(1001) })).status).toBe(400)
  expect((await mark(site, folder.key, { file: 'x', heart: true })).status).toBe(400)
})

test('a client finds what he picked on every device, and with a new code in place of the old', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { 'PIT_0003.CR3': file } = idsOf(site, folder)
  const {
    features: { clients },
  } = site.context
  const phone = await signIn(site, ['view', 'select'], { name: 'Team Kaamos' })
  const data = { folders: [folder.key] }
  await site.context.commit((tx) =>
    clients.panels.add(tx, { clientId: phone.clientId, kind: 'folders', title: null, data }),
  )
  const enter = async (code: string) => {
    const { headers } = await site.post('/api/authenticate-client', { secretCode: code })
    return headers['set-cookie']![0]!.split(';')[0]!
  }
  const hearts = async (cookie: string) => (await view(site, folder.key, cookie)).picks.hearts

  const marked = await mark(site, folder.key, { file, heart: true }, phone.headers.Cookie)
  expect(marked.status).toBe(200)
  expect(marked.headers['set-cookie']).toBeUndefined()
  expect(await hearts(await enter(phone.code))).toBe(1)
  const rules = { scopes: ['view', 'select'], expiresAt: null, maxUses: null } as const
  const other = await site.context.commit((tx) =>
    clients.codes.add(tx, phone.clientId, { label: 'Sponsor', ...rules }),
  )
  expect(await hearts(await enter(other.code))).toBe(0)
  const renewed = await site.context.commit((tx) =>
    clients.codes.rotate(tx, clients.codes.find(phone.codeId)!),
  )
  expect(await hearts(await enter(renewed.code))).toBe(1)
  expect(site.context.features.folders.favourites.visitors(folder.id)).toHaveLength(1)
})

test('picks that a signed-in client sends are recorded in its name', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { headers, clientId } = await signIn(site, ['view', 'select'])
  const fields: Record<string, string>[] = [
    { heart: String(idsOf(site, folder)['PIT_0003.CR3']) },
    { submit: '1', name: 'Aino' },
  ]
  let cookie = headers.Cookie ?? ''
  for (const each of fields) {
    const sent = await postForm(site, `/s/${folder.key}/picks`, each, { Cookie: cookie })
    cookie = `${cookie}; ${cookiesOf(sent)}`
  }
  const [latest] = site.context.features.clients.activity(clientId, 10)
  expect(latest).toMatchObject({ kind: 'selection', detail: 'Sent favourites from Arctic Rally' })
})

test('submitted picks are locked and mailed to staff once', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const ids = idsOf(site, folder)
  const { cookie } = await mark(site, folder.key, { file: ids['PIT_0003.CR3'], heart: true })
  await mark(site, folder.key, { file: ids['day 1/PIT_0002.jpg'], comment: 'Warmer' }, cookie)
  const submit = () =>
    postForm(
      site,
      `/s/${folder.key}/picks`,
      { submit: '1', name: 'Aino <b>', note: 'Thanks\nall', to: `/s/${folder.key}?page=1` },
      { Cookie: cookie },
    )
  const sent = await submit()
  expect(sent.headers.get('location')).toBe(`/s/${folder.key}?page=1#picks-title`)
  await submit()
  const mails = site.context.mails.list().filter(({ kind }) => kind === 'folderFavourites')
  expect(mails.length).toBe(1)
  expect(JSON.parse(mails[0]!.data!)).toMatchObject({ name: 'Aino <b>', count: 2, round: 1 })
  expect((await view(site, folder.key, cookie)).picks.submittedAt).not.toBeNull()
  const late = await mark(site, folder.key, { file: ids['PIT_0003.CR3'], heart: false }, cookie)
  expect(late.status).toBe(409)

  // One round only, unless staff allow more.
  await postForm(site, `/s/${folder.key}/picks`, { again: '1' }, { Cookie: cookie })
  expect((await view(site, folder.key, cookie)).picks.submittedAt).not.toBeNull()
  await site.context.commit((tx) =>
    site.context.features.folders.store.change(tx, folder, { rounds: 'many' }),
  )
  await postForm(site, `/s/${folder.key}/picks`, { again: '1' }, { Cookie: cookie })
  const open = (await view(site, folder.key, cookie)).picks
  expect(open).toMatchObject({ submittedAt: null, round: 2, hearts: 1 })
  await submit()
  const { favourites } = site.context.features.folders
  expect(favourites.submissions(folder.id).map(({ round }) => round)).toEqual([1, 2])
})

test('what was sent stays to be read when its files are removed, and comes back with them', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { favourites, store, sync } = site.context.features.folders
  const folder = await share(site, 'rally', { 'a.jpg': 'a', 'b.jpg': 'b', 'c.jpg': 'c' })
  const ids = idsOf(site, folder)
  const { cookie } = await mark(site, folder.key, { file: ids['a.jpg'], heart: true })
  const words = { file: ids['b.jpg'], heart: true, comment: 'The cover, please' }
  await mark(site, folder.key, words, cookie)
  const fields = { submit: '1', name: 'Aino' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })

  const directory = join(site.dataDir, 'folders/rally')
  rmSync(join(directory, 'b.jpg'))
  renameSync(join(directory, 'a.jpg'), join(directory, 'first.jpg'))
  await sync(folder)
  const after = await view(site, folder.key, cookie)
  expect(after.picks).toMatchObject({ hearts: 2, gone: 1, comments: 1 })
  expect(after.marked).toMatchObject([
    { id: ids['a.jpg'], name: 'first.jpg', heart: true },
    { id: null, name: 'b.jpg', heart: true, comment: 'The cover, please', pixels: false },
  ])
  expect((await view(site, `${folder.key}?show=favourites`, cookie)).found).toBe(1)
  const { text } = await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })
  expect(text).toMatch(/b\.jpg<\/strong><q>The cover, please<\/q><small>No longer in this gallery</)
  expect(text.match(/No longer in this gallery/g)).toHaveLength(1)

  // Another file that takes over its name isn't the one that was chosen.
  renameSync(join(directory, 'c.jpg'), join(directory, 'b.jpg'))
  await sync(folder)
  expect((await view(site, folder.key, cookie)).picks.gone).toBe(1)
  // One that is put back is.
  renameSync(join(directory, 'b.jpg'), join(directory, 'c.jpg'))
  await sync(folder)
  site.clock.advance(1000)
  writeFileSync(join(directory, 'b.jpg'), 'b')
  await sync(folder)
  const back = await view(site, folder.key, cookie)
  expect(back.picks).toMatchObject({ hearts: 2, gone: 0, comments: 1 })
  expect(back.files.map(({ name, heart }) => [name, heart])).toEqual([
    ['b.jpg', true],
    ['c.jpg', false],
    ['first.jpg', true],
  ])
  // Another round goes on with what is marked, and what was sent before stays with the staff.
  const [visitor] = favourites.visitors(folder.id)
  await site.context.commit((tx) => favourites.reopen(tx, visitor!.id))
  expect((await view(site, folder.key, cookie)).picks).toMatchObject({ hearts: 2, gone: 0 })
  expect(favourites.ofRound({ visitor: visitor!.id, round: 1 })).toMatchObject([
    { path: 'first.jpg' },
    { path: 'b.jpg', file: store.files(folder.id).find(({ name }) => name === 'b.jpg')!.id },
  ])
})

test('what is marked and not sent stays when its files are removed, is sent with the rest, and is found again by a file that comes back', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { favourites, sync } = site.context.features.folders
  const folder = await share(site, 'rally', { 'a.jpg': 'a', 'b.jpg': 'b', 'c.jpg': 'c' })
  const ids = idsOf(site, folder)
  const { cookie } = await mark(site, folder.key, { file: ids['a.jpg'], heart: true })
  const words = { file: ids['b.jpg'], heart: true, comment: 'The cover for aino@example.com' }
  await mark(site, folder.key, words, cookie)
  await mark(site, folder.key, { file: ids['c.jpg'], comment: 'Too dark' }, cookie)
  const page = async () =>
    (await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })).text
  const directory = join(site.dataDir, 'folders/rally')

  rmSync(join(directory, 'b.jpg'))
  rmSync(join(directory, 'c.jpg'))
  expect(await sync(folder)).toMatchObject({
    removed: 2,
    goneMarked: [
      { path: 'b.jpg', visitors: 1 },
      { path: 'c.jpg', visitors: 1 },
    ],
  })
  const after = await view(site, folder.key, cookie)
  expect(after.picks).toMatchObject({ hearts: 2, gone: 1, comments: 2 })
  expect(after.marked).toMatchObject([
    { id: null, name: 'b.jpg', comment: words.comment },
    { id: null, name: 'c.jpg', comment: 'Too dark' },
    { id: ids['a.jpg'], name: 'a.jpg' },
  ])
  expect(await page()).toContain('We’ve removed 2 files that you had marked.')

  site.clock.advance(1000)
  writeFileSync(join(directory, 'c.jpg'), 'c')
  await sync(folder)
  expect((await view(site, folder.key, cookie)).files).toMatchObject([
    { name: 'a.jpg', heart: true },
    { name: 'c.jpg', heart: false, comment: 'Too dark' },
  ])
  expect(await page()).toContain('We’ve removed a file that you had marked.')

  expect(favourites.mentioning('aino@example.com')).toMatchObject([{ path: 'b.jpg' }])
  const fields = { submit: '1', name: 'Aino' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })
  const [submission] = favourites.submissions(folder.id)
  expect(favourites.ofRound(submission!)).toMatchObject([
    { path: 'a.jpg', file: ids['a.jpg'] },
    { path: 'c.jpg', comment: 'Too dark' },
    { path: 'b.jpg', file: null, comment: words.comment },
  ])
  expect(await page()).toMatch(/b\.jpg<\/strong><q>The cover[^<]*<\/q><small>No longer in this/)
  expect(await page()).not.toContain('had marked')
  await eventually(() => {
    const [notice] = mailFiles(site.dataDir)
    expect(notice?.text).toContain('b.jpg (no longer in the folder)')
  })
})

test('what was marked on another device, or removed, since the page was opened is shown before it’s sent', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { favourites, sync } = site.context.features.folders
  const folder = await share(site, 'rally', files)
  const ids = idsOf(site, folder)
  const { cookie } = await mark(site, folder.key, { file: ids['PIT_0003.CR3'], heart: true })
  const seenNow = async () => {
    const { text } = await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })
    return /name="seen" value="(\d+)"/.exec(text)![1]!
  }
  const submit = (seen: string) =>
    postForm(
      site,
      `/s/${folder.key}/picks`,
      { submit: '1', name: 'Aino', note: 'Hi', seen },
      {
        Cookie: cookie,
        Accept: 'text/html',
      },
    )
  const first = await seenNow()
  await mark(site, folder.key, { file: ids['day 1/PIT_0001.jpg'], heart: true }, cookie)
  const returned = await submit(first)
  const text = await returned.text()
  expect(returned.status).toBe(400)
  expect(text).toContain('Your favourites have changed since you opened this page')
  expect(text).toContain('>Hi</textarea>')
  const second = await seenNow()
  rmSync(join(site.dataDir, 'folders/rally/PIT_0003.CR3'))
  await sync(folder)
  expect((await submit(second)).status).toBe(400)
  expect(favourites.submissions(folder.id)).toEqual([])
  expect((await submit(await seenNow())).status).toBe(303)
  // Once it's sent, sending it again changes nothing.
  expect((await submit('0')).status).toBe(303)
  expect(favourites.submissions(folder.id)).toHaveLength(1)
})

test('a message to favourites that another device has sent before comes back, and isn’t lost in silence', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const folder = await share(site, 'rally', files)
  const [file] = Object.values(idsOf(site, folder))
  const { cookie } = await mark(site, folder.key, { file, heart: true })
  const submit = (fields: Record<string, string>) =>
    postForm(site, `/s/${folder.key}/picks`, { submit: '1', ...fields }, { Cookie: cookie })
  const aino = { name: 'Aino', note: 'As discussed' }
  expect((await submit(aino)).status).toBe(303)
  // Pressed twice, it's the same.
  expect((await submit(aino)).status).toBe(303)
  expect((await submit({ name: 'Mika', note: '' })).status).toBe(303)
  const late = await submit({ name: 'Mika', note: 'The second one in black and white' })
  expect(late.status).toBe(400)
  const text = await late.text()
  expect(text).toContain('Favourites sent')
  expect(text).toMatch(/already been sent from another device.*<q>The second one in black/s)
  const { favourites } = site.context.features.folders
  expect(favourites.submissions(folder.id)).toMatchObject([{ name: 'Aino', note: 'As discussed' }])
})

test('marks of which every file is gone are told of, can’t be sent alone, and end with their visitor', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { favourites, sync, store } = site.context.features.folders
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const file = idsOf(site, folder)['a.jpg']
  const words = { file, heart: true, comment: 'For aino@example.com' }
  const { cookie } = await mark(site, folder.key, words)
  rmSync(join(site.dataDir, 'folders/rally/a.jpg'))
  await sync(folder, undefined, { isGoneMeant: true })
  const { text } = await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })
  expect(text).toMatch(/We’ve removed a file.*a\.jpg<\/strong><q>/s)
  expect(text).not.toContain('name="submit"')
  const fields = { submit: '1', name: 'Aino' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })
  expect(favourites.submissions(folder.id)).toEqual([])
  await site.context.commit((tx) => favourites.redact(tx, 'aino@example.com'))
  expect(favourites.mentioning('aino@example.com')).toEqual([])
  await site.context.commit((tx) => store.remove(tx, folder))
  expect(favourites.lostOf(1)).toEqual([])
})

test('a file that has left the gallery is taken out of the list before it’s sent, with scripts and without, and no other', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { favourites, sync } = site.context.features.folders
  const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']
  const folder = await share(site, 'rally', Object.fromEntries(names.map((name) => [name, name])))
  const ids = idsOf(site, folder)
  const { cookie } = await mark(site, folder.key, { file: ids['a.jpg'], heart: true })
  for (const name of names.slice(1)) {
    await mark(site, folder.key, { file: ids[name], heart: true, comment: name }, cookie)
  }
  const directory = join(site.dataDir, 'folders/rally')
  for (const name of names.slice(1)) rmSync(join(directory, name))
  await sync(folder, undefined, { isGoneMeant: true })
  const listed = async () =>
    (await view(site, folder.key, cookie)).marked.map(({ name, lost }) => [name, lost])
  expect(await listed()).toEqual([
    ...names.slice(1).map((name) => [name, ids[name]]),
    ['a.jpg', undefined],
  ])
  const page = async () =>
    (await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })).text
  const [button] = /<button[^>]*aria-label="Remove b\.jpg"[^>]*>/.exec(await page())!
  const [, removed] = /value="(\d+)"/.exec(button)!
  const remove = (value: string, of = cookie) =>
    postForm(site, `/s/${folder.key}/picks`, { remove: value }, { Cookie: of })
  // A second press, another visitor and what isn't in the list change nothing.
  for (const value of [removed!, removed!, String(ids['a.jpg']), 'x']) {
    const { status, headers } = await remove(value)
    expect([status, headers.get('location')]).toEqual([303, `/s/${folder.key}#picks-title`])
  }
  expect((await remove(String(ids['c.jpg']), '')).status).toBe(303)
  // What was typed beside the list stays, and a program is led on as ever.
  const typed = { remove: removed!, name: 'Aino', note: 'Both in colour' }
  const back = await postForm(site, `/s/${folder.key}/picks`, typed, { Cookie: cookie })
  expect([back.status, await back.text()]).toEqual([
    200,
    expect.stringMatching(/value="Aino".*>Both in colour</s),
  ])
  const asText = { Cookie: cookie, Accept: 'text/plain' }
  expect((await postForm(site, `/s/${folder.key}/picks`, typed, asText)).status).toBe(303)
  expect((await listed()).map(([name]) => name)).toEqual(['c.jpg', 'd.jpg', 'a.jpg'])

  const out = { file: ids['c.jpg'], heart: false, comment: '' }
  expect((await mark(site, folder.key, out)).status).toBe(404)
  expect((await mark(site, folder.key, { ...out, heart: true }, cookie)).status).toBe(404)
  expect((await mark(site, folder.key, { file: out.file, heart: false }, cookie)).status).toBe(404)
  for (const _ of ['once', 'again']) {
    const { status, json } = await mark(site, folder.key, out, cookie)
    expect([status, json]).toMatchObject([200, { picks: { hearts: 2, gone: 1, comments: 1 } }])
  }
  expect((await listed()).map(([name]) => name)).toEqual(['d.jpg', 'a.jpg'])

  // Back in the gallery it's a file like any other.
  site.clock.advance(1000)
  writeFileSync(join(directory, 'b.jpg'), 'b.jpg')
  await sync(folder)
  expect((await listed()).map(([name]) => name)).toEqual(['d.jpg', 'a.jpg'])

  const fields = { submit: '1', name: 'Aino' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })
  const [submission] = favourites.submissions(folder.id)
  const paths = favourites.ofRound(submission!).map(({ path }) => path)
  expect(paths).toEqual(['a.jpg', 'd.jpg'])
  expect(await page()).not.toContain('name="remove"')
  expect((await mark(site, folder.key, { ...out, file: ids['d.jpg'] }, cookie)).status).toBe(409)
  await remove(String(ids['d.jpg']))
  expect((await listed()).map(([name]) => name)).toEqual(['a.jpg', 'd.jpg'])
})

test('every favourite is listed before and after sending, or how many more there are', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const many = Object.fromEntries(
    Array.from({ length: 1003 }, (_, index) => [`${index + 1000}.txt`, `${index}`]),
  )
  const folder = await share(site, 'rally', many)
  const ids = Object.values(idsOf(site, folder))
  const { cookie } = await mark(site, folder.key, { file: ids[0], heart: true })
  const { favourites, store } = site.context.features.folders
  const [visitor] = favourites.visitors(folder.id)
  await site.context.commit((tx) => {
    for (const file of ids.slice(1)) {
      favourites.save(tx, store.find(folder.key)!, visitor!.hash, file, { heart: true })
    }
  })
  const page = async (query = '') =>
    (await site.get(`/s/${folder.key}${query}`, { headers: { Cookie: cookie } })).text
  const found = await view(site, folder.key, cookie)
  expect([found.marked.length, found.markedCount]).toEqual([1000, 1003])
  expect((await page()).includes('And 3 more.')).toBe(true)
  // Those beyond are on the last page of the gallery, where they're listed.
  expect((await page('?page=9')).includes('See all favourites')).toBe(false)
  const fields = { submit: '1', name: 'Aino' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })
  expect((await page()).includes('And 3 more.')).toBe(true)
})

test('what was sent stays to be read also when every file is removed', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { sync } = site.context.features.folders
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const page = async (cookie: string) =>
    (await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })).text
  const file = idsOf(site, folder)['a.jpg']
  const { cookie } = await mark(site, folder.key, { file, heart: true })
  const fields = { submit: '1', name: 'Aino' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })
  rmSync(join(site.dataDir, 'folders/rally/a.jpg'))
  await sync(folder, undefined, { isGoneMeant: true })
  expect(await page(cookie)).toMatch(/a\.jpg<\/strong><small>No longer in this gallery</)
  expect(await page('')).not.toContain('Your favourites')
})

test('without scripts a heart is a button of a form, on and off', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const file = idsOf(site, folder)['PIT_0003.CR3']!
  const press = (cookie = '') =>
    postForm(site, `/s/${folder.key}/picks`, { heart: String(file) }, { Cookie: cookie })
  const first = await press()
  expect(first.headers.get('location')).toBe(`/s/${folder.key}#file-${file}`)
  const cookie = cookiesOf(first)
  expect((await view(site, folder.key, cookie)).picks.hearts).toBe(1)
  await press(cookie)
  expect((await view(site, folder.key, cookie)).picks.hearts).toBe(0)
})

test('without scripts a heart that is pressed twice, or on a page that is behind, is what its button says', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const folder = await share(site, 'rally', files)
  const file = idsOf(site, folder)['PIT_0003.CR3']!
  const shown = async (cookie: string) => {
    const { text } = await site.get(`/s/${folder.key}`, { headers: { Cookie: cookie } })
    const [button] = /<button[^>]*aria-label="Favourite PIT_0003.CR3"[^>]*>/.exec(text)!
    const [, value] = /value="([^"]*)"/.exec(button)!
    return value!
  }
  const press = (heart: string, cookie = '') =>
    postForm(site, `/s/${folder.key}/picks`, { heart }, { Cookie: cookie })
  const heart = await shown('')
  const first = await press(heart)
  const cookie = cookiesOf(first)
  const again = await press(heart, cookie)
  expect(again.headers.get('location')).toBe(`/s/${folder.key}#file-${file}`)
  expect((await view(site, folder.key, cookie)).picks.hearts).toBe(1)
  const off = await shown(cookie)
  await press(off, cookie)
  await press(off, cookie)
  expect((await view(site, folder.key, cookie)).picks.hearts).toBe(0)
  expect((await press(`${file}-up`, cookie)).status).toBe(404)
})

test('nothing can be submitted that was not picked, and nothing picked where it is switched off', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const fields = { submit: '1', name: 'Aino' }
  expect((await postForm(site, `/s/${folder.key}/picks`, fields)).status).toBe(303)
  expect(site.context.mails.list()).toEqual([])
  await site.context.commit((tx) =>
    site.context.features.folders.store.change(tx, folder, { rounds: 'none' }),
  )
  const file = idsOf(site, folder)['PIT_0003.CR3']
  expect((await mark(site, folder.key, { file, heart: true })).status).toBe(409)
})

test('the notice to staff names the picks, harmlessly', async () => {
  await using site = await startSite({ sending: true })
  const folder = await share(site, 'rally', files)
  const ids = idsOf(site, folder)
  const { cookie } = await mark(site, folder.key, { file: ids['PIT_0003.CR3'], heart: true })
  const fields = { submit: '1', name: 'Aino\r\nBcc: x@example.com', note: '<img src=x>' }
  await postForm(site, `/s/${folder.key}/picks`, fields, { Cookie: cookie })
  const mail = await eventually(() => {
    const [first] = mailFiles(site.dataDir)
    expect(first).toBeDefined()
    return first!
  })
  expect(mail.subject).toBe('Favourites for Arctic Rally from Aino Bcc: x@example.com')
  expect(mail.headers.bcc).toBeUndefined()
  expect(mail.text).toContain('♥ PIT_0003.CR3')
  expect(mail.html).toContain('&lt;img src=x&gt;')
})

test('picks without a name come back on the page they were sent from, with what was entered', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const folder = await share(site, 'rally', files)
  const file = idsOf(site, folder)['PIT_0003.CR3']
  const { cookie } = await mark(site, folder.key, { file, heart: true })
  const send = (fields: Record<string, string>) =>
    postForm(site, `/s/${folder.key}/picks`, { submit: '1', ...fields }, { Cookie: cookie })
  const refused = await send({
    name: ' ',
    note: 'Warmer, please <b>',
    to: `/s/${folder.key}?show=favourites`,
  })
  expect(refused.status).toBe(400)
  expect(refused.headers.get('cache-control')).toBe('private, no-store')
  const page = await refused.text()
  expect(page).toMatch(/<p id="picks-name-error"[^>]*>Please enter your name<\/p>/)
  expect(page).toMatch(/<input[^>]*id="picks-name"[^>]*aria-invalid="true"/)
  expect(page).toMatch(/<textarea[^>]*>Warmer, please &lt;b&gt;<\/textarea>/)
  expect(page).toMatch(/aria-current="page"[^>]*>.*Favourites/)
  expect(site.context.features.folders.favourites.submissions(folder.id)).toEqual([])
  const tooLong = await send({ name: 'Aino', note: 'x'.repeat(2001) })
  expect(await tooLong.text()).toContain('Please use at most 2,000 characters')
  expect((await send({ name: 'Aino', note: 'Warmer' })).status).toBe(303)
  expect(site.context.features.folders.favourites.submissions(folder.id)).toHaveLength(1)
})
