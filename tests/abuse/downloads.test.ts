import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createTransfers } from '#server/transfers/transfers.ts'
import { eventually } from '../support/eventually.ts'
import { idsOf, noise, person, share, startSlowly } from '../support/shared-folder.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const minute = 60_000

/** Whether a download of which nothing is read has been cut, as the reader finds out at its end. */
const isCut = (download: IncomingMessage) =>
  new Promise<boolean>((resolve) => {
    download.once('end', () => resolve(!download.complete))
    download.once('error', () => resolve(true))
    download.resume()
  })

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
  const places = createTransfers({ most: 24, each: 3, clock })
  const response = { destroy: () => {} } as unknown as Parameters<typeof places.begin>[1]
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
  }, 20_000)
  expect(await Promise.all(held.map(isCut))).toContain(true)
  const whole = await fetch(site.url + path, { headers: person })
  expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')))
})

test('a reader that takes a few bytes now and then is cut, too, also of a single file', async () => {
  await using site = await startSite()
  const folder = await share(site, 'film', { 'film.mov': noise(40_000_000) })
  const { 'film.mov': file } = idsOf(site, folder)
  for (const way of ['files', 'view']) {
    const download = await startSlowly(`${site.url}/s/${folder.key}/${way}/${file}`)
    const ended = new Promise<boolean>((resolve) => {
      download.once('error', () => resolve(true))
      download.once('end', () => resolve(!download.complete))
    })
    let isOver = false
    void ended.then(() => (isOver = true))
    await eventually(() => {
      site.clock.advance(minute)
      download.read(65_536)
      expect(isOver).toBe(true)
    }, 30_000)
    expect(await ended).toBe(true)
  }
})

test('the time that a disk takes is not the fault of the reader', async () => {
  const clock = createClock()
  const cut: string[] = []
  const response = { destroy: () => cut.push('cut') } as unknown as Parameters<
    ReturnType<typeof createTransfers>['begin']
  >[1]
  const places = createTransfers({ most: 2, each: 1, clock })
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
