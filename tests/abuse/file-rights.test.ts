import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Scope } from '#shared/clients/secret-code.ts'
import { makeClient, signIn as openSession } from '../support/clients.ts'
import {
  cookiesOf,
  idsOf,
  inPanel,
  noise,
  person,
  photo,
  postForm,
  share,
  startSlowly,
} from '../support/shared-folder.ts'
import { cr2 } from '../support/raw-files.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

const password = 'Talvi ralli'

const files = async () => ({
  'a.jpg': await photo(),
  'b.pdf': 'a document',
  'c.mp4': noise(2000),
  'c.poster.jpg': await photo(),
  'd.mp3': noise(1000),
  'e.html': '<script>alert(1)</script>',
  'f.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'g.tif': noise(100),
  'h.cr2': cr2(),
})

/** Every address of every kind of file, and of the folder itself. */
const addresses = [
  'page',
  'thumb a.jpg',
  'thumb c.mp4',
  'web a.jpg',
  'web c.mp4',
  'save a.jpg',
  'save c.mp4',
  'view a.jpg',
  'view b.pdf',
  'view c.mp4',
  'view d.mp3',
  'view e.html',
  'view f.svg',
  'view g.tif',
  'view h.cr2',
  'files a.jpg',
  'files b.pdf',
  'files c.mp4',
  'files d.mp3',
  'files e.html',
  'files f.svg',
  'files g.tif',
  'files h.cr2',
  'zip',
  'zip of a choice',
  'choice',
  'heart',
  'heart by form',
] as const

type Address = (typeof addresses)[number]

const look = ['page', 'thumb a.jpg', 'thumb c.mp4', 'web a.jpg', 'web c.mp4'] as const
const web = [
  'save a.jpg',
  'save c.mp4',
  'view b.pdf',
  'view c.mp4',
  'view d.mp3',
  'view e.html',
  'view f.svg',
  'files b.pdf',
  'files c.mp4',
  'files d.mp3',
  'files e.html',
  'files f.svg',
] as const
const originals = [
  'view a.jpg',
  'view g.tif',
  'files a.jpg',
  'files g.tif',
  'zip',
  'zip of a choice',
  'choice',
] as const
/** Camera raw files are held back until staff let them leave, whatever a code opens. */
const withheld: readonly string[] = ['view h.cr2', 'files h.cr2']
const select = ['heart', 'heart by form'] as const

/** What each code opens of a folder in its panel; whatever is not there is refused. */
const table: [readonly Scope[], readonly Address[]][] = [
  [['view'], [...look]],
  [
    ['view', 'web'],
    [...look, ...web],
  ],
  [
    ['view', 'select'],
    [...look, ...select],
  ],
  [
    ['view', 'web', 'select'],
    [...look, ...web, ...select],
  ],
  [
    ['view', 'download'],
    [...look, ...web, ...originals],
  ],
  [['view', 'download', 'select'], addresses.filter((address) => !withheld.includes(address))],
  // Without the right to look nothing is open.
  [['web', 'download', 'select'], []],
  [['links', 'ops'], []],
]

async function withFolder(change: Parameters<typeof share>[3] = {}) {
  const site = await startSite()
  const folder = await share(site, 'winter', await files(), { password, ...change })
  const ids = idsOf(site, folder)
  const entered = await postForm(site, `/s/${folder.key}/password`, { password })
  const visitor = { Cookie: cookiesOf(entered) }
  const choice = await postForm(
    site,
    `/s/${folder.key}/zip`,
    { files: `${ids['a.jpg']},${ids['b.pdf']}` },
    visitor,
  )
  const zipOfChoice = choice.headers.get('location')!

  /** The status of an address, asked for as a person does or with other headers. */
  const status = async (address: Address, headers: Record<string, string>, method = 'GET') => {
    const [way = '', name = ''] = address.split(' ')
    const at = `/s/${folder.key}`
    const own = { ...person, Accept: '*/*', ...headers }
    if (address === 'choice') {
      return (await postForm(site, `${at}/zip`, { files: String(ids['a.jpg']) }, own)).status
    }
    if (address === 'heart by form') {
      return (await postForm(site, `${at}/picks`, { heart: String(ids['a.jpg']) }, own)).status
    }
    if (address === 'heart') {
      const mark = { file: ids['a.jpg'], heart: true }
      return (await site.post(`/api/folders/${folder.key}/marks`, mark, { headers: own })).status
    }
    const path =
      address === 'page'
        ? `/api/folders/${folder.key}`
        : address === 'zip'
          ? `${at}/zip`
          : address === 'zip of a choice'
            ? zipOfChoice
            : way === 'save'
              ? `${at}/web/${ids[name]}?save`
              : `${at}/${way}/${ids[name]}`
    const response = await fetch(site.url + path, { method, headers: own })
    await response.arrayBuffer()
    return response.status
  }
  return { site, folder, ids, visitor, status }
}

const isOpen = (status: number) => [200, 206, 303].includes(status)

test('a code opens the same things at every address of a file, whatever the method or range', async () => {
  const { site, folder, status } = await withFolder()
  await using _ = site
  for (const [index, [scopes, opened]] of table.entries()) {
    const { headers, clientId } = await signIn(site, scopes, { name: `Client ${index}` })
    await inPanel(site, clientId, folder)
    for (const address of addresses) {
      const expected = opened.includes(address)
      expect([scopes, address, isOpen(await status(address, headers))]).toEqual([
        scopes,
        address,
        expected,
      ])
      if (/^(?:choice|heart)/.test(address)) continue
      const part = { ...headers, Range: 'bytes=0-3' }
      expect([scopes, address, 'range', isOpen(await status(address, part))]).toEqual([
        scopes,
        address,
        'range',
        expected,
      ])
      expect([scopes, address, 'head', isOpen(await status(address, headers, 'HEAD'))]).toEqual([
        scopes,
        address,
        'head',
        expected,
      ])
    }
  }
})

test('strangers and other clients get no file, with or without scopes', async () => {
  const { site, folder, visitor, status } = await withFolder()
  await using _ = site
  const owner = await signIn(site, ['view'], { name: 'Owner' })
  await inPanel(site, owner.clientId, folder)
  const rival = await signIn(site, ['view', 'download', 'select'], { name: 'Rival' })
  for (const address of addresses) {
    expect([address, await status(address, {})]).toEqual([address, 401])
    expect([address, await status(address, rival.headers)]).toEqual([address, 401])
    if (address !== 'heart') {
      const opened = !withheld.includes(address)
      expect([address, isOpen(await status(address, visitor))]).toEqual([address, opened])
    }
  }
})

/** What takes one of the downloads of a folder, each address of one file being the same one. */
const taking: readonly Address[] = [
  'save a.jpg',
  'save c.mp4',
  'view a.jpg',
  'view b.pdf',
  'view c.mp4',
  'view d.mp3',
  'view e.html',
  'view f.svg',
  'view g.tif',
  'files a.jpg',
  'files b.pdf',
  'files c.mp4',
  'files d.mp3',
  'files e.html',
  'files f.svg',
  'files g.tif',
  'zip',
  'zip of a choice',
]

test('when no download is left, no address gives a file as it was delivered', async () => {
  const { site, visitor, status } = await withFolder({ maxDownloads: 1 })
  await using _ = site
  // The machine of someone else takes the only one.
  expect(await status('files d.mp3', { ...visitor, 'User-Agent': 'somebody else' })).toBe(200)
  for (const address of taking) {
    expect([address, await status(address, visitor)]).toEqual([address, 429])
    const part = { ...visitor, Range: 'bytes=1-' }
    expect([address, await status(address, part)]).toEqual([address, 429])
  }
  for (const address of look) {
    expect([address, await status(address, visitor)]).toEqual([address, 200])
  }
})

test('each address takes one download, once for a file and a visitor', async () => {
  const { site, folder, visitor, status } = await withFolder({ maxDownloads: 1000 })
  await using _ = site
  const taken = () => site.context.features.folders.store.find(folder.key)!.downloads
  for (const address of taking) {
    const before = taken()
    const somebody = { ...visitor, 'User-Agent': `Visitor of ${address}` }
    for (let n = 0; n < 3; n += 1) {
      expect([address, await status(address, somebody)]).toEqual([address, 200])
    }
    expect([address, taken() - before]).toEqual([address, 1])
  }
  const before = taken()
  for (const address of look) await status(address, visitor)
  expect(taken()).toBe(before)
})

test('a film that is watched is no download in the statistics, and needs none where none is limited', async () => {
  const { site, folder, visitor, status } = await withFolder()
  await using _ = site
  await status('view c.mp4', visitor)
  await status('view c.mp4', { ...visitor, Range: 'bytes=100-' })
  expect(site.context.features.folders.counts.totals(folder.id)).toMatchObject({
    files: 0,
    zips: 0,
  })
  await status('files c.mp4', visitor)
  expect(site.context.features.folders.counts.totals(folder.id)).toMatchObject({
    files: 1,
    zips: 0,
  })
})

/** Puts files into a block of a panel, as the command line does. */
async function withPanelFiles(site: Site, clientId: number, kind: 'files' | 'videos') {
  const { panels } = site.context.features.clients
  const directory = join(site.dataDir, 'given')
  mkdirSync(directory, { recursive: true })
  return site.context.commit((tx) => {
    const block = panels.add(tx, { clientId, kind, title: null, data: {} })
    for (const name of ['plan.pdf', 'film.mp4', 'page.html', 'photo.jpg']) {
      writeFileSync(join(directory, name), 'given')
      panels.attach(tx, block.id, panels.copy(join(directory, name)))
    }
    return panels.files(block.id)
  })
}

test('of the files of a panel only films are for looking at, and only among the films', async () => {
  await using site = await startSite()
  const statuses = async (scopes: readonly Scope[], kind: 'files' | 'videos') => {
    const panel = `${scopes.join('-')}-${kind}`
    const { headers, clientId } = await signIn(site, scopes, { name: panel, panel })
    const found = await withPanelFiles(site, clientId, kind)
    return Object.fromEntries(
      await Promise.all(
        found.map(async ({ id, name }) => {
          const path = `/panel/${panel}/files/${id}`
          const whole = await site.get(path, { headers })
          const part = await site.get(path, { headers: { ...headers, Range: 'bytes=1-2' } })
          expect([name, isOpen(part.status)]).toEqual([name, isOpen(whole.status)])
          if (isOpen(whole.status)) {
            expect(whole.headers['content-disposition']).toMatch(/^attachment/)
            expect(whole.headers['content-security-policy']).toContain('sandbox')
          }
          return [name, whole.status]
        }),
      ),
    )
  }
  const closed = { 'plan.pdf': 403, 'film.mp4': 403, 'page.html': 403, 'photo.jpg': 403 }
  const open = { 'plan.pdf': 200, 'film.mp4': 200, 'page.html': 200, 'photo.jpg': 200 }
  expect(await statuses(['view'], 'files')).toEqual(closed)
  expect(await statuses(['view'], 'videos')).toEqual({ ...closed, 'film.mp4': 200 })
  expect(await statuses(['view', 'web'], 'videos')).toEqual({ ...closed, 'film.mp4': 200 })
  expect(await statuses(['view', 'download'], 'files')).toEqual(open)
  expect(await statuses(['view', 'download'], 'videos')).toEqual(open)
  expect(await statuses(['download'], 'videos')).toEqual(closed)
})

test('a file of a panel breaks off once its code is revoked or staff take it out; others come whole', async () => {
  await using site = await startSite()
  const { clients } = site.context.features
  const begin = async (panel: string) => {
    const client = await makeClient(site, { name: panel, panel })
    const path = join(site.dataDir, `${panel}.mov`)
    writeFileSync(path, noise(30_000_000))
    const copied = clients.panels.copy(path)
    await site.context.commit((tx) => {
      const block = clients.panels.add(tx, {
        clientId: client.client.id,
        kind: 'videos',
        title: null,
        data: {},
      })
      clients.panels.attach(tx, block.id, copied)
    })
    const Cookie = await openSession(site, client.code)
    const download = await startSlowly(
      `${site.url}/panel/${panel}/files/${copied.id}`,
      '127.0.0.1',
      {
        Cookie,
      },
    )
    expect(download.statusCode).toBe(200)
    return { ...client, copied, download }
  }
  const [revoked, removed, kept] = [await begin('ari'), await begin('bea'), await begin('cleo')]
  await site.context.commit((tx) => {
    clients.codes.revoke(tx, revoked.codeId)
    clients.panels.detach(tx, removed.copied)
  })
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const ends = [revoked, removed, kept].map(
    ({ download }) =>
      new Promise<boolean>((resolve) => {
        for (const name of ['error', 'close']) download.once(name, () => resolve(download.complete))
        download.resume()
      }),
  )
  expect(await Promise.all(ends)).toEqual([false, false, true])
})
