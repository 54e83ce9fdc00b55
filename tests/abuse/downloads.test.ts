import { mkdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTransfers } from '#server/transfers/transfers.ts'
import { eventually } from '../support/eventually.ts'
import { holdDatabase } from '../support/hold-database.ts'
import { idsOf, noise, person, share, startSlowly, writeFiles } from '../support/shared-folder.ts'
import { createClock, startSite, type Site } from '../support/site.ts'
import { unzip } from '../support/unzip.ts'

const minute = 60_000

/** How many replies below a path the server has broken off. */
const abortedIn = (site: Site, path: string) =>
  site.logLines().filter((line) => line.includes(path) && line.includes('"aborted":true')).length

const zipStatus = async (site: Site, path: string, from: string) =>
  (await startSlowly(site.url + path, from, { Range: 'bytes=0-9' })).statusCode

test('three networks cannot hold all places for ZIPs', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'film.mov': noise(20_000_000) })
  const path = `/s/${folder.key}/zip`
  const held: IncomingMessage[] = []
  for (const from of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    for (let n = 0; n < 4; n += 1) held.push(await startSlowly(site.url + path, from))
  }
  const open = held.filter(({ statusCode }) => statusCode === 200)
  expect(open.length).toBeGreaterThanOrEqual(6)
  for (let host = 10; host < 20; host += 1) {
    expect([host, await zipStatus(site, path, `127.0.0.${host}`)]).toEqual([host, 206])
  }
  for (const download of held) download.destroy()
})

test('the more places are taken, the fewer one network gets', () => {
  const clock = createClock()
  const places = createTransfers({ max: 24, each: 3, clock })
  const response = { destroy: () => {} }
  const begin = (address: string) => places.begin(address, response)
  const many = Array.from({ length: 20 }, (_, host) => begin(`10.0.0.${host}`))
  expect(many.every(Boolean)).toBe(true)
  expect(begin('10.0.0.1')).toBeNull()
  expect(begin('10.1.0.1')).not.toBeNull()
  // Of IPv6 a whole /56 is one network.
  expect(begin('2001:db8:0:1::1')).not.toBeNull()
  expect(begin('2001:db8:0:2::2')).toBeNull()
  for (const place of many) place?.end()
  expect(begin('10.0.0.1')).not.toBeNull()
  expect(begin('10.0.0.1')).not.toBeNull()
})

test('a reader that takes nothing loses its place and is cut; one that reads goes on', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'film.mov': noise(40_000_000) })
  const path = `/s/${folder.key}/zip`
  const held = await Promise.all([1, 2, 3].map(() => startSlowly(site.url + path, '127.0.0.2')))
  expect(await zipStatus(site, path, '127.0.0.2')).toBe(503)
  await eventually(async () => {
    site.clock.advance(minute)
    expect(await zipStatus(site, path, '127.0.0.2')).toBe(206)
  })
  expect(abortedIn(site, '/zip')).toBeGreaterThan(0)
  for (const download of held) download.destroy()
  const whole = await fetch(site.url + path, { headers: person })
  expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')))
})

test('a reader that takes a few bytes now and then is cut, too, also of a single file', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'film.mov': noise(40_000_000) })
  const { 'film.mov': file } = idsOf(site, folder)
  for (const way of ['files', 'view']) {
    const download = await startSlowly(`${site.url}/s/${folder.key}/${way}/${file}`)
    await eventually(() => {
      site.clock.advance(minute)
      download.read(16_384)
      expect(abortedIn(site, `/${way}/`)).toBe(1)
    }, 30_000)
    download.destroy()
  }
})

test('the time that a disk takes is not the fault of the reader', async () => {
  const clock = createClock()
  const cut: string[] = []
  const response = { destroy: () => cut.push('cut') }
  const places = createTransfers({ max: 2, each: 1, clock })
  const reading = places.begin('10.0.0.1', response)!
  const slow = places.begin('10.0.0.2', response)!
  // An hour of reading from a disk, a moment of sending.
  for (let n = 0; n < 60; n += 1) {
    clock.advance(minute)
    reading.waits()
    reading.took(1000)
  }
  slow.waits()
  clock.advance(minute)
  await eventually(() => expect(cut).toEqual(['cut']))
  expect(places.begin('10.0.0.2', response)).not.toBeNull()
  expect(places.begin('10.0.0.1', response)).toBeNull()
})

test('asking for the head takes no place', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'film.mov': noise(1000) })
  const path = `/s/${folder.key}/zip`
  const heads = await Promise.all(
    Array.from({ length: 30 }, () => fetch(site.url + path, { method: 'HEAD', headers: person })),
  )
  expect(new Set(heads.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a database that cannot write drops no file from a ZIP and holds up no download', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  // Newer than the index knows, so their checksums have to be read and kept.
  writeFiles(site, 'rally', { 'a.txt': 'new a', 'b.txt': 'new b' })
  const { 'a.txt': file } = idsOf(site, folder)
  await using holder = await holdDatabase(site.dataDir)
  for (let round = 0; round < 2; round += 1) {
    const reply = await fetch(`${site.url}/s/${folder.key}/zip`, { headers: person })
    expect(reply.status).toBe(200)
    const unpacked = await unzip(Buffer.from(await reply.arrayBuffer()))
    expect(Object.fromEntries([...unpacked].map(([name, text]) => [name, String(text)]))).toEqual({
      'a.txt': 'new a',
      'b.txt': 'new b',
      'c.txt': 'c',
    })
    const single = await fetch(`${site.url}/s/${folder.key}/files/${file}`, { headers: person })
    expect(await single.text()).toBe('new a')
  }
  await holder.release()
  const unread = () =>
    site.context.features.folders.store.files(folder.id).filter(({ size }) => size === 1)
  await eventually(() => expect(unread().map(({ path }) => path)).toEqual(['c.txt']))
})

test('a file that goes while it is asked for is a page, not a broken download', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.txt': 'a' })
  const { 'a.txt': file } = idsOf(site, folder)
  rmSync(join(site.dataDir, 'folders/rally/a.txt'))
  mkdirSync(join(site.dataDir, 'folders/rally/a.txt'))
  const reply = await fetch(`${site.url}/s/${folder.key}/files/${file}`, { headers: person })
  expect([reply.status, reply.headers.get('content-disposition')]).toEqual([404, null])
})
