import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { idsOf, noise, person, postForm, share, startSlowly } from '../../support/shared-folder.ts'
import { makeClient, signIn } from '../../support/clients.ts'
import { startSite, type Site } from '../../support/site.ts'
import { unzip } from '../../support/unzip.ts'
import { runSql } from '../../support/raw-database.ts'

const files = {
  'PIT_0002.jpg': noise(70_001, 2),
  'PIT_0010.jpg': noise(40_000, 3),
  'Päivä 2/ääni ✓.wav': noise(300_000, 4),
  'Päivä 2/empty.txt': '',
  'notes.html': '<script>alert(1)</script>',
}

const zipOf = async (site: Site, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(site.url + path, { headers: { ...person, ...headers } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('everything comes as one ZIP of known length that unpacks to the same bytes', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const { response, bytes } = await zipOf(site, `/s/${folder.key}/zip`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
  expect(response.headers.get('content-disposition')).toContain('Arctic Rally.zip')
  expect(response.headers.get('cache-control')).toContain('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const unpacked = await unzip(bytes)
  expect([...unpacked.keys()].toSorted()).toEqual(Object.keys(files).toSorted())
  for (const [name, content] of Object.entries(files)) {
    expect(unpacked.get(name)).toEqual(Buffer.from(content))
  }
})

test('a long title is the name of the ZIP up to a whole character', async () => {
  await using site = await startSite()
  const title = `${'x'.repeat(119)}🏁 and more`
  const folder = await share(site, 'rally', files, { title })
  const { response } = await zipOf(site, `/s/${folder.key}/zip`)
  expect(response.status).toBe(200)
  const header = response.headers.get('content-disposition')!
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(header)!
  expect(decodeURIComponent(name!)).toBe(`${'x'.repeat(119)}🏁.zip`)
})

test('a broken download goes on from any byte, and the pieces are the whole', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const path = `/s/${folder.key}/zip`
  const { response, bytes } = await zipOf(site, path)
  const etag = response.headers.get('etag')!
  expect(etag).toMatch(/^"[0-9a-f]{40}"$/)
  for (let round = 0; round < 12; round += 1) {
    const cut = 1 + Math.floor(((round * 7919) % 997) * (bytes.length / 1000))
    const rest = await zipOf(site, path, { Range: `bytes=${cut}-`, 'If-Range': etag })
    expect(rest.response.status).toBe(206)
    expect(rest.response.headers.get('content-range')).toBe(
      `bytes ${cut}-${bytes.length - 1}/${bytes.length}`,
    )
    expect(Buffer.concat([bytes.subarray(0, cut), rest.bytes]).equals(bytes)).toBe(true)
  }
  const last = await zipOf(site, path, { Range: 'bytes=-10' })
  expect(last.bytes).toEqual(bytes.subarray(-10))
  const beyond = await zipOf(site, path, { Range: `bytes=${bytes.length}-` })
  expect(beyond.response.status).toBe(416)
  expect(beyond.response.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  // A range that no one can read is none.
  expect((await zipOf(site, path, { Range: 'bytes=x-y' })).response.status).toBe(200)
  const head = await fetch(site.url + path, { method: 'HEAD', headers: person })
  expect(head.headers.get('content-length')).toBe(String(bytes.length))
  expect(head.headers.get('etag')).toBe(etag)
})

test('a file that has changed makes another ZIP, so that no resumed one is mixed', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const path = `/s/${folder.key}/zip`
  const before = await zipOf(site, path)
  appendFileSync(join(site.dataDir, 'folders/rally/PIT_0002.jpg'), 'more')
  const etag = before.response.headers.get('etag')!
  const after = await zipOf(site, path, { Range: 'bytes=1000-', 'If-Range': etag })
  expect(after.response.status).toBe(200)
  expect(after.response.headers.get('etag')).not.toBe(etag)
  const unpacked = await unzip(after.bytes)
  expect(unpacked.get('PIT_0002.jpg')?.subarray(-4).toString()).toBe('more')
})

test('a missing file is left out, listed in the ZIP and marked on the page', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  rmSync(join(site.dataDir, 'folders/rally/PIT_0010.jpg'))
  const { bytes } = await zipOf(site, `/s/${folder.key}/zip`)
  const unpacked = await unzip(bytes)
  expect(unpacked.has('PIT_0010.jpg')).toBe(false)
  expect(unpacked.get('_MISSING.txt')?.toString()).toContain('PIT_0010.jpg')
  const { json } = await site.get(`/api/folders/${folder.key}`)
  const listed = json!.files as { name: string; broken: boolean }[]
  expect(listed.filter(({ broken }) => broken).map(({ name }) => name)).toEqual(['PIT_0010.jpg'])
})

test('a selection gets an address of its own that browsers can resume, and only for a day', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const ids = idsOf(site, folder)
  const form = new URLSearchParams([
    ['file', String(ids['PIT_0002.jpg'])],
    ['files', `${ids['Päivä 2/ääni ✓.wav']},${ids['PIT_0002.jpg']}`],
  ])
  const posted = await postForm(site, `/s/${folder.key}/zip`, form)
  expect(posted.status).toBe(303)
  const address = posted.headers.get('location')!
  expect(address.length).toBeLessThan(200)
  const { response, bytes } = await zipOf(site, address)
  expect([...(await unzip(bytes)).keys()]).toEqual(['PIT_0002.jpg', 'Päivä 2/ääni ✓.wav'])
  const rest = await zipOf(site, address, {
    Range: 'bytes=5000-',
    'If-Range': response.headers.get('etag')!,
  })
  expect(rest.bytes).toEqual(bytes.subarray(5000))
  const again = await postForm(site, `/s/${folder.key}/zip`, form)
  expect(again.headers.get('location')).toBe(address)

  expect((await zipOf(site, `${address}x`)).response.status).toBe(404)
  const other = await share(site, 'other', { 'secret.jpg': 'x' })
  const elsewhere = address.replace(folder.key, other.key)
  expect((await zipOf(site, elsewhere)).response.status).toBe(404)
  site.clock.advance(26 * 3_600_000)
  expect((await zipOf(site, address)).response.status).toBe(404)
})

test('empty and huge selections get a clear answer', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  const plain = { Accept: '*/*' }
  const path = `/s/${folder.key}/zip`
  expect((await postForm(site, path, {}, plain)).status).toBe(400)
  expect((await postForm(site, path, { files: '999999,-1,abc' }, plain)).status).toBe(400)
  const huge = { files: '1234567,'.repeat(40_000) }
  expect((await postForm(site, path, huge, plain)).status).toBe(413)
  const many = { files: Array.from({ length: 20_100 }, (_, index) => index).join() }
  expect((await postForm(site, path, many, plain)).status).toBe(413)
})

test('missing checksums are computed before the first byte of a ZIP', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', files)
  runSql(site.dataDir, 'UPDATE folder_files SET crc = NULL')
  const { bytes } = await zipOf(site, `/s/${folder.key}/zip`)
  expect((await unzip(bytes)).size).toBe(5)
  const unread = site.context.features.folders.store
    .files(folder.id)
    .filter(({ crc }) => crc === null)
  expect(unread).toEqual([])
})

test('too many ZIPs at once are asked to come again, and one that is broken off makes room', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'film.mov': noise(30_000_000) })
  const path = `/s/${folder.key}/zip`
  const slow = await Promise.all([1, 2, 3].map(() => startSlowly(site.url + path)))
  const { response } = await zipOf(site, path)
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  // Another client has places of its own.
  const elsewhere = await startSlowly(site.url + path, '127.0.0.9')
  elsewhere.destroy()
  slow[0]!.destroy()
  await eventually(async () => {
    const reply = await fetch(site.url + path, { headers: { ...person, Range: 'bytes=0-9' } })
    expect(reply.status).toBe(206)
  })
  for (const download of slow) download.destroy()
})

test('a file that changes while it is sent breaks the download off instead of filling it up', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'a.bin': noise(30_000_000), 'b.bin': noise(1000) })
  const download = await startSlowly(`${site.url}/s/${folder.key}/zip`)
  const target = join(site.dataDir, 'folders/film/b.bin')
  writeFileSync(target, noise(1000, 7))
  utimesSync(target, 1, 1)
  const ended = new Promise<string>((resolve) => {
    download.once('aborted', () => resolve('broken off'))
    download.once('error', () => resolve('broken off'))
    download.once('end', () => resolve(download.complete ? 'complete' : 'broken off'))
  })
  download.resume()
  expect(await ended).toBe('broken off')
})

test('a download breaks off once the code that opened it is revoked, and one that is fine comes whole', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'a.bin': noise(30_000_000) })
  const { clients } = site.context.features
  const [revoked, kept] = [
    await makeClient(site),
    await makeClient(site, { name: 'Kaamos', panel: 'kaamos' }),
  ]
  await site.context.commit((tx) => {
    for (const { client } of [revoked, kept]) {
      const data = { folders: [folder.key] }
      clients.panels.add(tx, { clientId: client.id, kind: 'folders', title: null, data })
    }
  })
  const path = `/s/${folder.key}/zip`
  expect((await fetch(site.url + path, { headers: person })).status).toBe(401)
  const begin = async ({ code }: { code: string }) => {
    const download = await startSlowly(site.url + path, '127.0.0.1', {
      Cookie: await signIn(site, code),
    })
    expect(download.statusCode).toBe(200)
    return download
  }
  const downloads = [await begin(revoked), await begin(kept)]
  await site.context.commit((tx) => clients.codes.revoke(tx, revoked.codeId))
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const ends = downloads.map(
    (download) =>
      new Promise<boolean>((resolve) => {
        for (const name of ['error', 'close']) download.once(name, () => resolve(download.complete))
        download.resume()
      }),
  )
  expect(await Promise.all(ends)).toEqual([false, true])
})
