import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PanelBlock } from '#server/contributions/panel-block.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import type { Block, Panel } from '#shared/clients/clients.ts'
import { makeClient, signIn } from '../../support/clients.ts'
import { saveEnquiry } from '../../support/enquiry.ts'
import { csrfHeaders } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'

async function panel(site: Site, cookie: string, code?: string): Promise<Panel | null> {
  const query = code === undefined ? '' : `?panel=${encodeURIComponent(code)}`
  const reply = await site.get(`/api/panel${query}`, { headers: { Cookie: cookie } })
  expect(reply.status).toBe(200)
  expect(reply.headers['cache-control']).toBe('no-store')
  return reply.json?.panel as Panel | null
}

/** Puts a block with files into a panel, as the CLI does. */
async function addFiles(
  site: Site,
  clientId: number,
  files: Record<string, string>,
  kind: 'files' | 'videos' = 'files',
) {
  const { panels } = site.context.features.clients
  const directory = join(site.dataDir, 'given')
  mkdirSync(directory, { recursive: true })
  const block = await site.context.commit((tx) =>
    panels.add(tx, { clientId, kind, title: null, data: {} }),
  )
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, name), text)
    await site.context.commit((tx) =>
      panels.attach(tx, block.id, panels.copy(join(directory, name))),
    )
  }
  return panels.files(block.id).map(({ id, name }) => ({ id, name }))
}

test('a panel opens to its own session alone; unknown ones and those of others look the same', async () => {
  await using site = await startSite()
  const mine = await makeClient(site)
  await makeClient(site, { panel: 'other', name: 'Other' })
  const cookie = await signIn(site, mine.code)
  expect(await panel(site, cookie)).toMatchObject({ name: 'Nordic Rally Team', season: '2027' })
  expect(await panel(site, cookie, 'nordic-rally-team')).not.toBeNull()
  for (const code of ['other', 'unknown', '', 'NORDIC-RALLY-TEAM', '../nordic-rally-team']) {
    expect(await panel(site, cookie, code)).toBeNull()
  }
  expect(await panel(site, '', 'nordic-rally-team')).toBeNull()
  expect(await panel(site, '')).toBeNull()
})

test("the pages of an unknown panel and of another client's are byte-identical", async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const mine = await makeClient(site)
  await makeClient(site, { panel: 'other', name: 'Other' })
  const cookie = await signIn(site, mine.code)
  const page = async (path: string, Cookie: string) => {
    const { status, text, headers } = await site.get(path, { headers: { Cookie } })
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['set-cookie']).toBeUndefined()
    const [main = ''] = /<main.*<\/main>/s.exec(text) ?? []
    const [data = ''] = /"panel":\{.*?\},"actionData"/s.exec(text) ?? []
    return { status, main, data }
  }
  const unknown = await page('/panel/nobody', cookie)
  expect(unknown.status).toBe(200)
  expect(unknown.main).toContain('Enter your code')
  expect(unknown.data).toContain('null')
  // Or a right code would look as if it had been refused.
  expect(unknown.main).toContain('You’re signed in as Nordic Rally Team, whose code doesn’t open')
  expect(await page('/panel/other', cookie)).toEqual(unknown)
  const toVisitors = await page('/panel/nobody', '')
  expect(toVisitors.main).toContain('Enter the code we sent you')
  expect(await page('/panel/nordic-rally-team', '')).toEqual(toVisitors)
  expect((await page('/panel/nordic-rally-team', cookie)).main).toContain('Nordic Rally Team')
  expect((await page('/panel', cookie)).main).toContain('Nordic Rally Team')
  // Nothing of it is kept for the next visitor.
  expect((await page('/panel', '')).main).not.toContain('Nordic Rally Team')
  expect((await page('/client-zone', cookie)).main).toContain('Welcome back')
  expect((await page('/client-zone', '')).main).toContain('Enter your code')
})

test('private pages stand neither in the sitemap nor in the search', async () => {
  await using site = await startSite()
  await makeClient(site, { name: 'Zanzibar Racing', panel: 'zanzibar' })
  expect((await site.get('/sitemap.xml')).text).not.toMatch(/panel|client-zone/)
  expect((await site.get('/api/search?q=Zanzibar')).text).not.toContain('/panel')
})

test('blocks stand in the order of the staff, empty ones are left out', async () => {
  await using site = await startSite()
  const { client, code } = await makeClient(site)
  const { panels } = site.context.features.clients
  const add = (kind: string, data: unknown, title: string | null = null) =>
    site.context.commit((tx) => panels.add(tx, { clientId: client.id, kind, title, data }))
  await add('text', { text: 'Welcome.\n\nHere it is.' }, 'Hello')
  await add('files', {})
  const links = [
    { title: 'Cut 1/2', url: 'https://example.com/a?b=c' },
    { title: 'Work', url: '/portfolio' },
  ]
  const last = await add('links', { links })
  await add('text', { text: ' \n ' })
  await add('folders', { folders: ['unknown'] })
  await add('links', { links: [{ title: 'Broken', url: 'javascript:alert(1)' }] })
  await site.context.commit((tx) => panels.move(tx, last, 1))
  const { blocks } = (await panel(site, await signIn(site, code)))!
  expect(blocks).toEqual([
    {
      id: `links-${last.id}`,
      kind: 'links',
      title: 'Links',
      view: 'rows',
      rows: [
        {
          title: 'Cut 1/2',
          detail: 'example.com',
          href: 'https://example.com/a?b=c',
          way: 'elsewhere',
        },
        { title: 'Work', detail: null, href: '/portfolio', way: 'page' },
      ],
    },
    {
      id: 'text-1',
      kind: 'text',
      title: 'Hello',
      view: 'text',
      paragraphs: ['Welcome.', 'Here it is.'],
    },
  ])
})

test('a panel lists the tickets that its client wrote in a session, by e-mail, and no others', async () => {
  await using site = await startSite({ sending: false })
  const { code } = await makeClient(site, { emails: ['Aino@Example.com'] })
  const session = await signIn(site, code)
  const write = (changes: Record<string, unknown>) =>
    saveEnquiry(site, changes, { headers: { Cookie: `${csrfHeaders.Cookie}; ${session}` } })
  await write({ 'Ticket ID': 'mine01', Subject: 'Accreditation' })
  await write({ 'Ticket ID': 'other1', Email: 'somebody@example.com' })
  await write({ 'Ticket ID': 'spam01' })
  await site.context.features.contact.actions.setStatus('spam01', 'spam', 'test')
  const { blocks } = (await panel(site, session))!
  expect(blocks).toMatchObject([
    {
      kind: 'tickets',
      rows: [
        {
          title: 'Accreditation',
          detail: 'Ticket mine01, reply by 23 Nov 2026',
          state: { label: 'Received' },
        },
      ],
    },
  ])
})

test('a code without the scope to view shows no blocks', async () => {
  await using site = await startSite()
  const { client, code } = await makeClient(site, { scopes: ['links'] })
  await addFiles(site, client.id, { 'a.txt': 'a' })
  expect(await panel(site, await signIn(site, code))).toMatchObject({ blocks: [], activity: [] })
})

test('a block that cannot be loaded is left out and logged', async () => {
  const broken: PanelBlock = {
    kind: 'broken',
    title: 'Broken',
    by: 'system',
    load: () => Promise.reject(new Error('out of order')),
  }
  const feature = { name: 'gearbox', panelBlocks: [broken] }
  await using site = await startSite({ features: [() => feature] })
  const { code } = await makeClient(site)
  expect((await panel(site, await signIn(site, code)))?.blocks).toEqual([])
  expect(site.logLines().join('')).toContain('panel block failed')
})

const rowsOf = (block: Block | undefined) => (block?.view === 'rows' ? block.rows : [])

test('a file comes under its own name, in parts, and is written down once', async () => {
  await using site = await startSite()
  const { client, code } = await makeClient(site)
  await addFiles(site, client.id, { 'Kausi 2027 – äöå.txt': '0123456789' })
  const cookie = await signIn(site, code)
  const [file] = rowsOf((await panel(site, cookie))?.blocks[0])
  expect(file).toMatchObject({ value: '10 bytes' })
  const get = (headers: Record<string, string> = {}) =>
    site.get(file!.href!, { headers: { Cookie: cookie, ...headers } })
  const whole = await get()
  expect(whole.status).toBe(200)
  expect(whole.text).toBe('0123456789')
  expect(whole.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '10',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
  })
  expect(whole.headers['content-disposition']).toBe(
    'attachment; filename="Kausi 2027 ? ???.txt"; filename*=UTF-8\'\'Kausi%202027%20%E2%80%93%20%C3%A4%C3%B6%C3%A5.txt',
  )
  const part = await get({ Range: 'bytes=4-6', 'If-Range': String(whole.headers.etag) })
  expect([part.status, part.text, part.headers['content-range']]).toEqual([
    206,
    '456',
    'bytes 4-6/10',
  ])
  expect((await get({ Range: 'bytes=50-' })).status).toBe(416)
  expect((await panel(site, cookie))?.activity.map(({ text }) => text)).toEqual([
    'Downloaded Kausi 2027 – äöå.txt',
    'Signed in',
  ])
})

test('no address but a client’s own gets a file', async () => {
  await using site = await startSite()
  const mine = await makeClient(site)
  const other = await makeClient(site, { panel: 'other' })
  const viewer = await makeClient(site, { panel: 'viewer', scopes: ['view'] })
  const [file] = await addFiles(site, mine.client.id, { 'plan.pdf': 'secret plan' })
  const [seen] = await addFiles(site, viewer.client.id, { 'seen.pdf': 'secret plan' })
  const [film] = await addFiles(site, viewer.client.id, { 'film.mp4': 'moving' }, 'videos')
  const get = async (path: string, cookie: string) => {
    const { status, text } = await site.get(path, { headers: { Cookie: cookie } })
    expect(text).not.toContain('secret plan')
    return status
  }
  const path = `/panel/nordic-rally-team/files/${file!.id}`
  expect(await get(path, '')).toBe(401)
  expect(await get('/panel/nobody/files/unknown', '')).toBe(401)
  const foreign = await signIn(site, other.code)
  for (const wanted of [
    path,
    `/panel/other/files/${file!.id}`,
    '/panel/other/files/unknown',
    '/panel/other/files/..%2f..%2fpitlane.sqlite',
    '/panel/other/files/..%5csecret-key',
    '/panel/other/files/%00',
  ]) {
    expect([wanted, await get(wanted, foreign)]).toEqual([wanted, 404])
  }
  const looking = await signIn(site, viewer.code)
  expect(await get(`/panel/viewer/files/${seen!.id}`, looking)).toBe(403)
  expect(await get(`/panel/viewer/files/${film!.id}`, looking)).toBe(200)
  const rows = rowsOf((await panel(site, looking))?.blocks.find(({ kind }) => kind === 'files'))
  expect(rows).toMatchObject([{ title: 'seen.pdf', value: '11 bytes', href: null }])
})
