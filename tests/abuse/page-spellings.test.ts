import { array, assert, constantFrom, property } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { canonicalPath, canonicalQuery } from '#server/http/canonical-address.ts'
import { cachedResponse } from '#server/http/replies/cached-response.ts'
import { createPageCache } from '#server/pages/page-cache.ts'
import { createRenderQueue } from '#server/pages/background-render.ts'
import { builtRenderer, type Renderer } from '#server/renderer.ts'
import { eventually } from '../support/eventually.ts'
import { openRaw } from '../support/raw-connection.ts'
import { noPages, startSite, type Site } from '../support/site.ts'

/** The built renderer, and what it has rendered for the cache. */
async function countingRenderer() {
  const built = await builtRenderer(dist)
  const kept: string[] = []
  const renderer: Renderer = {
    ...built,
    render(request) {
      const { pathname, search } = new URL(request.url)
      if (request.whole) kept.push(pathname + search)
      return built.render(request)
    },
  }
  return { renderer, kept }
}

/** Asks for a target letter by letter; clients that build requests would tidy it. */
async function ask({ url }: Site, target: string) {
  await using connection = await openRaw(url)
  connection.write(`GET ${target} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n`)
  return await connection.reply()
}

let site: Site
let kept: string[]

beforeAll(async () => {
  const counting = await countingRenderer()
  kept = counting.kept
  site = await startSite({ renderer: counting.renderer, sending: false })
  return () => site[Symbol.asyncDispose]()
})

test.each([
  ['/x/..', '/'],
  ['/zzz/%2e%2e', '/'],
  ['/zzz/%2E./', '/'],
  ['/./news', '/news'],
  ['/%6Eews', '/news'],
  ['/%6eews', '/news'],
  ['//news', '/news'],
  ['///', '/'],
  ['/news/', '/news'],
  ['/news//', '/news'],
  ['/services//photography', '/services/photography'],
  ['/services\\photography', '/services/photography'],
  ['/services/photograph%79/', '/services/photography'],
  ['/news?page=1', '/news'],
  ['/news?page=01', '/news'],
  ['/news?page=02', '/news?page=2'],
  ['/news?%70age=2', '/news?page=2'],
  ['/news?page=2&page=3', '/news?page=2'],
  ['/news?page=2&category=x', '/news?category=x&page=2'],
  ['/portfolio?year=2026&discipline=gt', '/portfolio?discipline=gt&year=2026'],
  ['/news/?page=2', '/news?page=2'],
  ['/news?page=1&utm_source=mail', '/news?utm_source=mail'],
  ['//elsewhere.example/%2e%2e', '/'],
  ['/\\elsewhere.example/x', '/elsewhere.example/x'],
])('%s leads to %s, and is never kept', async (spelled, canonical) => {
  const reply = await ask(site, spelled)
  expect([reply.status, reply.headers.location]).toEqual([308, canonical])
  expect(kept).toEqual([])
})

test.each([
  '/News',
  '/SERVICES/photography',
  '/news%2F',
  '/%2Fnews',
  '/news%5C',
  '/news?page=0',
  '/news?page=1e1',
  '/news?category=',
  '/Subscription/form',
  '/API/health',
  '/Items/services',
  '/ASSETS/nothing',
])('%s is no page, and is never kept', async (spelled) => {
  expect((await ask(site, spelled)).status).toBe(404)
  await ask(site, spelled)
  expect(kept).toEqual([])
})

test('a thousand unknown queries are one cached page', async () => {
  const { renderer, kept: rendered } = await countingRenderer()
  await using own = await startSite({ renderer, sending: false })
  const page = await eventually(async () => {
    const reply = await own.get('/about-us?utm_source=mail')
    expect(reply.headers.etag).toBeDefined()
    return reply
  })
  expect(page.text).toContain(`<link rel="canonical" href="${own.url}/about-us"`)
  expect(page.text).not.toContain('utm_source')
  for (let number = 0; number < 1000; number += 1) {
    const { status, headers } = await own.get(`/about-us?x${number}=${number}&utm_source=mail`)
    expect([status, headers.etag]).toEqual([200, page.headers.etag])
  }
  expect((await own.get('/about-us?')).headers.etag).toBe(page.headers.etag)
  expect(rendered).toEqual(['/about-us'])
})

test('404 pages are rendered each time and never cached', async () => {
  const { renderer, kept: rendered } = await countingRenderer()
  await using own = await startSite({ renderer, sending: false })
  for (const path of ['/nothing', '/news/nothing', '/services/nothing', '/search?q=kymi']) {
    for (let time = 0; time < 2; time += 1) {
      expect((await own.get(path)).headers.etag, path).toBeUndefined()
    }
  }
  expect(rendered).toEqual([])
})

test('every path has one spelling, which stays as it is', () => {
  const piece = constantFrom(
    'a',
    'B',
    '.',
    '..',
    '%2e',
    '%41',
    '%2F',
    '%5c',
    '\\',
    '/',
    '//',
    '%',
    '%zz',
    '%c3%a4',
    '\u00e4',
    '+',
    ' ',
    '?',
    '#',
    ';',
    '%00',
    '@',
  )
  assert(
    property(array(piece, { maxLength: 12 }), (pieces) => {
      const once = canonicalPath(`/${pieces.join('')}`)
      if (once === null) return
      expect(once).toMatch(/^\/(?:[^/]+(?:\/[^/]+)*)?$/)
      expect(once).not.toMatch(/[^\u0021-\u007e]/)
      expect(canonicalPath(once)).toBe(once)
    }),
    { numRuns: 5000 },
  )
})

test('every query has one spelling, which stays as it is', () => {
  const part = constantFrom(
    'page=1',
    'page=2',
    'page=007',
    '%70age=3',
    'category=a',
    'category=',
    'x=1',
    '=',
    '&',
    'page',
    'b=c=d',
    'category=%20',
    '?page=4',
  )
  assert(
    property(array(part, { maxLength: 8 }), (parts) => {
      const { canonical, rest } = canonicalQuery(parts.join('&'), ['category', 'page'])
      const again = canonicalQuery([canonical, rest].filter(Boolean).join('&'), [
        'category',
        'page',
      ])
      expect(again).toEqual({ canonical, rest, isCanonical: true })
    }),
    { numRuns: 5000 },
  )
})

test('the cache is bounded in entries and bytes, and what is used most stays', () => {
  const bytes = (size: number) =>
    cachedResponse({ identity: Buffer.alloc(size), br: Buffer.alloc(1), gzip: Buffer.alloc(1) }, {})
  const options = { version: () => 1, clock: () => 0 }
  const few = createPageCache({ ...options, maxEntries: 10 })
  few.set('/', [bytes(10)], 1)
  for (let number = 0; number < 100; number += 1) {
    few.set(`/${number}`, [bytes(10)], 1)
    expect(few.find('/')).not.toBeNull()
  }
  expect(few.recent(1000)).toHaveLength(10)
  const small = createPageCache({ ...options, maxBytes: 1_000_000 })
  for (let number = 0; number < 100; number += 1) small.set(`/${number}`, [bytes(100_000)], 1)
  expect(small.recent(1000).length).toBeLessThanOrEqual(10)
  expect(small.find('/99')).not.toBeNull()
})

test('pages are rendered for the cache one after the other, and only so many wait', async () => {
  const rendered: string[] = []
  let running = 0
  const queue = createRenderQueue(async (address) => {
    running += 1
    expect(running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    rendered.push(address)
  })
  for (let number = 0; number < 10_000; number += 1) queue.add(`/${number}`)
  for (let number = 0; number < 10_000; number += 1) queue.add('/0')
  await queue.settled()
  expect(rendered.length).toBeLessThanOrEqual(200)
  queue.add('/later')
  await queue.settled()
  expect(rendered.at(-1)).toBe('/later')
})

test('one address has only so many pages rendered; others, and cached pages, go on', async () => {
  await using own = await startSite({ renderer: noPages })
  const statuses = new Map<number, number>()
  for (let number = 0; number < 700; number += 1) {
    const { status } = await own.get(`/search?q=term${number}`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: 600, 429: 100 })
  const refused = await own.get('/nothing', { headers: { Accept: 'text/html' } })
  expect([refused.status, refused.headers['content-type']]).toEqual([
    429,
    'text/html; charset=utf-8',
  ])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await own.get('/nothing', { from: '127.0.0.2' })).status).toBe(200)
  expect((await own.get('/robots.txt')).status).toBe(200)
})

test('a search page counts as a search', async () => {
  await using own = await startSite({ renderer: await builtRenderer(dist), sending: false })
  expect((await own.get('/search?q=kymi')).status).toBe(200)
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let number = 0; number < 100; number += 1) await own.get('/api/search?q=kymi')
    }),
  )
  expect((await own.get('/api/search?q=kymi')).status).toBe(429)
  expect((await own.get('/search?q=kymi')).status).toBe(429)
  expect((await own.get('/search?q=kymi', { from: '127.0.0.2' })).status).toBe(200)
})
