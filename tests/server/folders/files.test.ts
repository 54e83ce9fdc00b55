import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { idsOf, noise, person, photo, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'

const get = (site: Site, path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers: { ...person, ...headers } })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a file comes with its own name and in any part of it', async () => {
  await using site = await startSite()
  const name = 'Äänekoski "4"; 北.mov'
  const bytes = noise(100_000)
  const folder = await share(site, 'rally', { [name]: bytes })
  const path = `/s/${folder.key}/files/${idsOf(site, folder)[name]}`
  const whole = await get(site, path)
  expect(whole.headers.get('content-type')).toBe('video/quicktime')
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  const disposition = whole.headers.get('content-disposition')!
  expect(disposition).toMatch(/^attachment; /)
  expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)![1]!)).toBe(name)
  expect(await bytesOf(whole)).toEqual(bytes)
  const etag = whole.headers.get('etag')!
  expect(etag).toMatch(/^"[^"]+"$/)

  const part = await get(site, path, { Range: 'bytes=10-19', 'If-Range': etag })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe('bytes 10-19/100000')
  expect(await bytesOf(part)).toEqual(bytes.subarray(10, 20))
  expect((await get(site, path, { Range: 'bytes=5-', 'If-Range': '"other"' })).status).toBe(200)
  expect((await get(site, path, { Range: 'bytes=0-1,5-6' })).status).toBe(200)
  const beyond = await get(site, path, { Range: 'bytes=100000-' })
  expect(beyond.status).toBe(416)
  expect(beyond.headers.get('content-range')).toBe('bytes */100000')
  const head = await fetch(site.url + path, { method: 'HEAD', headers: person })
  expect(head.headers.get('content-length')).toBe('100000')
  expect((await bytesOf(head)).length).toBe(0)
})

test('what a client has already isn’t sent again, nor counted as a download', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': await photo(), 'b.mov': noise(5000) })
  const ids = idsOf(site, folder)
  const below = (path: string) => `/s/${folder.key}/${path}`
  const paths = [
    below(`files/${ids['b.mov']}`),
    below(`web/${ids['a.jpg']}`),
    below(`thumb/${ids['a.jpg']}`),
    below('zip'),
  ]
  for (const path of paths) {
    expect((await get(site, path, { 'If-None-Match': '*' })).status).toBe(304)
  }
  const { counts } = site.context.features.folders
  expect(counts.totals(folder.id)).toMatchObject({ files: 0, zips: 0 })
  for (const path of paths) {
    const first = await get(site, path)
    const etag = first.headers.get('etag')!
    expect([path, first.status, (await bytesOf(first)).length > 0]).toEqual([path, 200, true])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(site, path, { 'If-None-Match': known, Range: 'bytes=0-9' })
      expect([path, known, again.status]).toEqual([path, known, 304])
      expect(again.headers.get('etag')).toBe(etag)
      expect((await bytesOf(again)).length).toBe(0)
    }
    expect((await get(site, path, { 'If-None-Match': '"other"' })).status).toBe(200)
  }
})

test('odd ranges are answered as the standard says', async () => {
  await using site = await startSite()
  const bytes = noise(1000)
  const folder = await share(site, 'rally', { 'clip.mov': bytes })
  const path = `/s/${folder.key}/files/${idsOf(site, folder)['clip.mov']}`
  for (const [range, status, from, to] of [
    ['bytes=-5', 206, 995, 1000],
    // A suffix longer than the file is the whole file.
    ['bytes=-99999999', 206, 0, 1000],
    ['bytes=0-99999999999999999999999', 206, 0, 1000],
    ['BYTES=999-', 206, 999, 1000],
    ['bytes=-0', 416, 0, 0],
    ['bytes=1000-1001', 416, 0, 0],
    // What isn't a range is as if it had not been said.
    ['bytes=5-2', 200, 0, 1000],
    ['bytes=-', 200, 0, 1000],
    ['bytes=a-b', 200, 0, 1000],
    ['bytes=0x1-0x2', 200, 0, 1000],
    ['lines=0-1', 200, 0, 1000],
  ] as const) {
    const part = await get(site, path, { Range: range })
    expect([range, part.status]).toEqual([range, status])
    expect(await bytesOf(part)).toEqual(bytes.subarray(from, to))
  }
})

test('a name that disks would refuse is saved under one that they take', async () => {
  await using site = await startSite()
  const name = 'new\nline\\..: x.txt'
  const folder = await share(site, 'rally', { [name]: 'x' })
  const response = await get(site, `/s/${folder.key}/files/${idsOf(site, folder)[name]}`)
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="new_line_.._ x.txt"',
  )
})

test('an empty file is a file', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'empty.txt': '' })
  const response = await get(site, `/s/${folder.key}/files/${idsOf(site, folder)['empty.txt']}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe('0')
})

test('files that could run are never shown in place', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', {
    'page.html': '<script>alert(1)</script>',
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'clip.mp4': noise(1000),
  })
  const ids = idsOf(site, folder)
  for (const name of ['page.html', 'logo.svg']) {
    for (const way of ['files', 'view']) {
      const { headers } = await get(site, `/s/${folder.key}/${way}/${ids[name]}`)
      expect(headers.get('content-disposition')).toMatch(/^attachment/)
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  }
  const film = await get(site, `/s/${folder.key}/view/${ids['clip.mp4']}`, { Range: 'bytes=0-' })
  expect(film.status).toBe(206)
  expect(film.headers.get('content-disposition')).toBeNull()
})

test('previews stand upright, keep the credit, and tell neither place nor serial number', async () => {
  await using site = await startSite()
  // Lying on its side, as a camera that was held upright writes it.
  const original = await sharp(await photo(900, 600))
    .keepExif()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(original.includes('SERIAL-4711')).toBe(true)
  const folder = await share(site, 'rally', { 'a.jpg': original })
  const id = idsOf(site, folder)['a.jpg']
  for (const [kind, type] of [
    ['thumb', 'image/webp'],
    ['web', 'image/jpeg'],
  ] as const) {
    const response = await get(site, `/s/${folder.key}/${kind}/${id}`)
    expect(response.headers.get('content-type')).toBe(type)
    const bytes = await bytesOf(response)
    expect(bytes.includes('SERIAL')).toBe(false)
    const { width, height, exif, orientation } = await sharp(bytes).metadata()
    expect(height).toBeGreaterThan(width)
    expect(orientation ?? 1).toBe(1)
    expect(exif!.includes('Pitlane Media')).toBe(true)
    expect(exif!.includes('GPS')).toBe(false)
  }
  const [listed] = (await site.get(`/api/folders/${folder.key}`)).json!.files as {
    width: number
    height: number
  }[]
  expect([listed!.width, listed!.height]).toEqual([600, 900])
})

test('a damaged picture has no preview but can be downloaded', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'bad.jpg': noise(500) })
  const id = idsOf(site, folder)['bad.jpg']
  expect((await get(site, `/s/${folder.key}/thumb/${id}`)).status).toBe(404)
  expect((await get(site, `/s/${folder.key}/files/${id}`)).status).toBe(200)
})

test('links out of the folder, dotfiles and system files are not shared, and a link made later is refused', async () => {
  await using site = await startSite()
  const outside = join(site.dataDir, 'outside.txt')
  writeFileSync(outside, 'secret')
  const folder = await share(site, 'rally', {
    'a.jpg': 'a',
    '.env': 'SECRET=1',
    'Thumbs.db': 'x',
    '.git/config': 'x',
  })
  const root = join(site.dataDir, 'folders/rally')
  symlinkSync(outside, join(root, 'evil.txt'))
  symlinkSync('/etc', join(root, 'etc'))
  symlinkSync('a.jpg', join(root, 'same.jpg'))
  const { refused } = await site.context.features.folders.sync(folder)
  expect(refused.map(({ path }) => path).toSorted()).toEqual(['etc', 'evil.txt'])
  expect(Object.keys(idsOf(site, folder))).toEqual(['a.jpg', 'same.jpg'])

  const id = idsOf(site, folder)['a.jpg']
  rmSync(join(root, 'a.jpg'))
  symlinkSync(outside, join(root, 'a.jpg'))
  const reply = await get(site, `/s/${folder.key}/files/${id}`)
  expect(reply.status).toBe(404)
  expect(await reply.text()).not.toContain('secret')
})

test('a file that comes back is no longer broken', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.txt': 'a' })
  const path = join(site.dataDir, 'folders/rally/a.txt')
  const file = `/s/${folder.key}/files/${idsOf(site, folder)['a.txt']}`
  const { store } = site.context.features.folders
  // It's written down beside the reply, which doesn't wait for it.
  const isBroken = (wanted: boolean) =>
    eventually(() => expect(store.files(folder.id)[0]!.broken).toBe(wanted))
  rmSync(path)
  expect((await get(site, file)).status).toBe(404)
  await isBroken(true)
  writeFileSync(path, 'b')
  expect(await (await get(site, file)).text()).toBe('b')
  await isBroken(false)
})

test('a sync keeps the ids of what stays, also when accents are written another way', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'yo\u0308.jpg': 'a', 'x.jpg': 'x', 'gone.jpg': 'g' })
  const before = idsOf(site, folder)
  const root = join(site.dataDir, 'folders/rally')
  rmSync(join(root, 'yo\u0308.jpg'))
  rmSync(join(root, 'gone.jpg'))
  writeFileSync(join(root, 'y\u00f6.jpg'), 'a')
  writeFileSync(join(root, 'new.jpg'), 'n')
  const { added, removed } = await site.context.features.folders.sync(folder)
  expect([added, removed]).toEqual([1, 1])
  const after = idsOf(site, folder)
  expect(after['y\u00f6.jpg']).toBe(before['yo\u0308.jpg'])
  expect(after['x.jpg']).toBe(before['x.jpg'])
})

test('files stand in the order that people expect, section by section, on pages', async () => {
  await using site = await startSite()
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`PIT_${index + 1}.jpg`, `${index}`]),
  )
  const folder = await share(site, 'rally', {
    ...many,
    'a plan.pdf': 'p',
    'day 10/1.jpg': '1',
    'day 2/1.jpg': '1',
    'day 2/onboard/1.jpg': '1',
  })
  const page = async (query: string) =>
    (await site.get(`/api/folders/${folder.key}?${query}`)).json as {
      files: { name: string; id: number }[]
      pages: number
      page: number
      count: number
      sections: { name: string; page: number }[]
    }
  const first = await page('')
  expect([first.pages, first.count, first.files.length]).toEqual([3, 254, 120])
  expect(first.files.slice(0, 3).map(({ name }) => name)).toEqual([
    'PIT_1.jpg',
    'PIT_2.jpg',
    'PIT_3.jpg',
  ])
  expect(first.sections.map(({ name, page: on }) => [name, on])).toEqual([
    ['', 1],
    ['day 2', 3],
    ['day 2/onboard', 3],
    ['day 10', 3],
  ])
  const last = await page('page=99&show=nonsense')
  expect(last.page).toBe(3)
  expect(last.files.map(({ name }) => name)).toContain('a plan.pdf')
  const shown = await page(`open=${last.files[0]!.id}`)
  expect(shown.page).toBe(3)
  for (const crooked of ['page=-1', 'page=x', 'page=1e99', 'open=..', 'page[]=3']) {
    expect((await page(crooked)).page).toBe(1)
  }
})
