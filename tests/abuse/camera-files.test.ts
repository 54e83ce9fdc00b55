import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OpenFolder } from '#shared/folders/folders.ts'
import { withheldTexts } from '#shared/folders/withheld.ts'
import { contentFiles } from '../support/content-files.ts'
import {
  arw,
  cr2,
  cr3,
  dng,
  jpeg,
  nef,
  packet,
  pef,
  picture,
  raf,
  secrets,
} from '../support/raw-files.ts'
import { runSql } from '../support/raw-database.ts'
import { idsOf, person, postForm, share } from '../support/shared-folder.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { unzip } from '../support/unzip.ts'

/** What lies beside camera files and can be cleaned. */
const clean = {
  'DAY 1/IMG_0001.tif': picture(),
  'IMG_0002.xmp': Buffer.from(packet),
  'IMG_0002.THM': jpeg(),
}
/** What stays here: by its kind, by its name alone, and under a name that lies. */
const held = {
  'DAY 1/IMG_0001.CR3': cr3(),
  'IMG_0002.cr2': cr2(),
  'DSC00003.ARW': arw(),
  'phone.dng': dng(),
  'K3.PEF': pef(),
  'X-T5.RAF': raf(),
  'renamed.bin': cr3(),
  'DSC_0001.NEF': nef(),
  'DSC_0002.tif': nef(),
  'DSC_0003.jpg': dng(),
  DSC_0004: cr2(),
  'olympus.orf': Buffer.from('IIRO\x08\0\0\0 SERIAL-OLYMPUS', 'latin1'),
  'photo.cr3': jpeg(),
}

const get = async (
  site: Site,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
) => {
  const response = await fetch(site.url + path, { method, headers: { ...person, ...headers } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const tells = (bytes: Buffer) => secrets.test(bytes.toString('latin1'))
const sentence = `${withheldTexts.one} Please ask us for it.`

async function withFiles(files: Readonly<Record<string, Buffer>> = { ...clean, ...held }) {
  const site = await startSite()
  const folder = await share(site, 'rally', files)
  const open = async (id: string) => (await site.get(`/api/folders/${id}`)).json as OpenFolder
  const keep = (keepLocation: boolean) =>
    site.context.commit((tx) =>
      site.context.features.folders.store.change(tx, folder, { keepLocation }),
    )
  return { site, folder, ids: idsOf(site, folder), at: `/s/${folder.key}`, open, keep }
}

test('what lies beside camera files leaves without serial numbers, owners and places', async () => {
  const { site, at, ids } = await withFiles()
  await using _ = site
  const zip = await unzip((await get(site, `${at}/zip`)).bytes)
  for (const [name, original] of Object.entries(clean)) {
    expect([name, tells(original)]).toEqual([name, true])
    for (const way of ['files', 'view']) {
      const { response, bytes } = await get(site, `${at}/${way}/${ids[name]}?download`)
      expect([name, response.status, tells(bytes)]).toEqual([name, 200, false])
      expect(bytes.length).toBe(original.length)
      const etag = response.headers.get('etag')!
      const Range = 'bytes=101-'
      const part = await get(site, `${at}/${way}/${ids[name]}`, { Range, 'If-Range': etag })
      expect([name, part.response.status]).toEqual([name, 206])
      expect(part.bytes.equals(bytes.subarray(101))).toBe(true)
      expect(zip.get(name)!.equals(bytes)).toBe(true)
    }
  }
})

test('a file that cannot be cleaned is shown with the reason, and leaves by no address', async () => {
  const { site, folder, at, ids, open } = await withFiles()
  await using _ = site
  for (const name of Object.keys(held)) {
    for (const path of [`${at}/files/${ids[name]}`, `${at}/view/${ids[name]}`]) {
      for (const more of ['', '?download', '?v=1']) {
        const { response, bytes } = await get(site, path + more)
        expect([name, response.status, bytes.toString()]).toEqual([name, 403, `${sentence}\n`])
        expect(response.headers.get('content-disposition')).toBeNull()
        expect(response.headers.get('etag')).toBeNull()
      }
      const part = await get(site, path, { Range: 'bytes=0-100' })
      const head = await get(site, path, {}, 'HEAD')
      expect([name, part.response.status, head.response.status]).toEqual([name, 403, 403])
    }
    for (const way of ['thumb', 'cover', 'web']) {
      const { bytes } = await get(site, `${at}/${way}/${ids[name]}`)
      expect([name, way, tells(bytes)]).toEqual([name, way, false])
    }
  }
  const { files, held: kept } = await open(folder.key)
  const told = files.filter((file) => file.held).map(({ name }) => name)
  const names = Object.keys(held).map((path) => path.slice(path.lastIndexOf('/') + 1))
  expect(told.toSorted()).toEqual(names.toSorted())
  const bytes = Object.values(held).reduce((sum, { length }) => sum + length, 0)
  expect(kept).toEqual({ count: told.length, bytes })
  // Nothing was downloaded of it, so nothing counts.
  expect(site.context.features.folders.counts.totals(folder.id).files).toBe(0)
})

test('a ZIP leaves them out and says so; one of nothing else is refused', async () => {
  const { site, at, ids } = await withFiles()
  await using _ = site
  const zip = await unzip((await get(site, `${at}/zip`)).bytes)
  expect(Array.from(zip.keys()).toSorted()).toEqual(
    [...Object.keys(clean), '_MISSING.txt'].toSorted(),
  )
  const list = zip.get('_MISSING.txt')!.toString()
  expect(list).toContain(withheldTexts.many)
  expect(list).not.toContain('were not there')
  for (const name of Object.keys(held)) expect(list).toContain(`\r\n${name}\r\n`)
  const chosen = async (...names: readonly string[]) => {
    const files = names.map((name) => ids[name]).join()
    const reply = await postForm(site, `${at}/zip`, { files })
    return get(site, reply.headers.get('location')!)
  }
  const mixed = await unzip((await chosen('DSC_0002.tif', 'IMG_0002.xmp')).bytes)
  expect([...mixed.keys()]).toEqual(['IMG_0002.xmp', '_MISSING.txt'])
  const { response, bytes } = await chosen('DSC_0002.tif', 'olympus.orf')
  expect([response.status, bytes.toString()]).toEqual([403, `${sentence}\n`])
})

test('the switch of staff counts at once, on and off, also for what a browser holds already', async () => {
  const { site, folder, at, ids, open, keep } = await withFiles({
    'a.nef': nef(),
    'b.tif': picture(),
  })
  await using _ = site
  const [raw, other] = [`${at}/files/${ids['a.nef']}`, `${at}/files/${ids['b.tif']}`]
  const before = await get(site, other)
  const zipBefore = await get(site, `${at}/zip`)
  await keep(true)
  const given = await get(site, raw)
  expect([given.response.status, given.bytes.equals(nef())]).toEqual([200, true])
  const etag = given.response.headers.get('etag')!
  const whole = await get(site, other, {
    Range: 'bytes=5-',
    'If-Range': before.response.headers.get('etag')!,
  })
  expect([whole.response.status, whole.bytes.equals(picture())]).toEqual([200, true])
  const zip = await get(site, `${at}/zip`)
  expect([...(await unzip(zip.bytes)).keys()]).toEqual(['b.tif', 'a.nef'])
  expect(zip.response.headers.get('etag')).not.toBe(zipBefore.response.headers.get('etag'))
  expect((await open(folder.key)).held.count).toBe(0)
  await keep(false)
  const tries: Record<string, string>[] = [
    {},
    { 'If-None-Match': etag },
    { Range: 'bytes=5-', 'If-Range': etag },
  ]
  for (const headers of tries) {
    expect((await get(site, raw, headers)).response.status).toBe(403)
  }
  const again = await get(site, `${at}/zip`, {
    Range: 'bytes=5-',
    'If-Range': zip.response.headers.get('etag')!,
  })
  expect([again.response.status, tells(again.bytes)]).toEqual([200, false])
  expect((await open(folder.key)).held.count).toBe(1)
})

test('a file replaced on disk is held back before the next sync, in ZIPs too', async () => {
  const { site, at, ids } = await withFiles({ 'a.tif': picture(), 'b.xmp': Buffer.from(packet) })
  await using _ = site
  expect((await get(site, `${at}/files/${ids['a.tif']}`)).response.status).toBe(200)
  writeFileSync(join(site.dataDir, 'folders/rally/a.tif'), nef())
  for (const method of ['GET', 'HEAD']) {
    const { response } = await get(site, `${at}/files/${ids['a.tif']}`, {}, method)
    expect([method, response.status]).toEqual([method, 403])
  }
  const zip = await unzip((await get(site, `${at}/zip`)).bytes)
  expect([...zip.keys()]).toEqual(['b.xmp', '_MISSING.txt'])
})

test('an index that an earlier version made opens nothing', async () => {
  const { site, folder, at, ids, open } = await withFiles({
    'a.nef': nef(),
    'b.srf': Buffer.from('SERIAL'),
  })
  await using _ = site
  const { store } = site.context.features.folders
  const age = () =>
    site.context.commit((tx) => {
      for (const { id, size, mtime, crc } of store.files(folder.id)) {
        store.keepChecksums(tx, id, { crc: crc!, cleanCrc: crc, cleanRecipe: 1 }, { size, mtime })
      }
    })
  await age()
  runSql(site.dataDir, "UPDATE folder_files SET type = 'application/octet-stream'")
  for (const name of ['a.nef', 'b.srf']) {
    const { response } = await get(site, `${at}/files/${ids[name]}`)
    expect([name, response.status]).toEqual([name, 403])
  }
  await expect.poll(async () => (await open(folder.key)).held.count).toBe(2)
  await age()
  expect((await get(site, `${at}/zip`)).response.status).toBe(403)
  await expect.poll(async () => (await open(folder.key)).held.count).toBe(2)
})

test('files of panels are held back, too, unless their block allows it', async () => {
  await using site = await startSite()
  const { headers, clientId } = await signIn(site, ['view', 'download'], { panel: 'team' })
  const { panels } = site.context.features.clients
  const directory = join(site.dataDir, 'given')
  mkdirSync(directory)
  writeFileSync(join(directory, 'a.tif'), nef())
  const add = (data: object) =>
    site.context.commit((tx) => {
      const block = panels.add(tx, { clientId, kind: 'files', title: null, data })
      panels.attach(tx, block.id, panels.copy(join(directory, 'a.tif')))
      return panels.files(block.id)[0]!.id
    })
  const [closed, open] = [await add({}), await add({ keepLocation: true })]
  for (const method of ['GET', 'HEAD']) {
    const path = `/panel/team/files/${closed}`
    const { response, bytes } = await get(site, path, headers, method)
    expect([method, response.status, tells(bytes)]).toEqual([method, 403, false])
    expect(response.headers.get('content-disposition')).toBeNull()
  }
  const page = await get(site, `/panel/team/files/${closed}`, { ...headers, Accept: 'text/html' })
  expect(page.bytes.toString()).toContain(withheldTexts.one)
  expect((await get(site, `/panel/team/files/${open}`, headers)).bytes.equals(nef())).toBe(true)
  const panel = (await site.get('/api/panel', { headers })).text
  expect(panel).toContain(withheldTexts.one)
  expect(panel).not.toContain(`/panel/team/files/${closed}`)
  expect(panel).toContain(`/panel/team/files/${open}`)
})

test('a picture of the site that is a camera file leaves as no original', async () => {
  using content = contentFiles({ 'assets/a.jpg': nef(), 'assets/b.jpg': picture() })
  await using site = await startSite({ env: { CONTENT_DIR: content.dir } })
  const refused = await get(site, '/assets/a')
  expect([refused.response.status, JSON.parse(refused.bytes.toString())]).toEqual([
    403,
    { errors: [{ message: withheldTexts.one, extensions: { code: 'FORBIDDEN' } }] },
  ])
  expect((await get(site, '/assets/a', { Range: 'bytes=0-50' })).response.status).toBe(403)
  expect((await get(site, '/assets/a', {}, 'HEAD')).response.status).toBe(403)
  for (const path of ['/assets/b', '/assets/a?width=640', '/assets/b?width=640&format=webp']) {
    expect([path, tells((await get(site, path)).bytes)]).toEqual([path, false])
  }
})
