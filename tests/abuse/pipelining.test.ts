import { expect, test } from 'vitest'
import type { Feature } from '#server/feature.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { eventually } from '../support/eventually.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite, type Site } from '../support/site.ts'

/** A site with a page, an asset, a feed and a short link, answered from memory; no job of a start changes them. */
async function readySite() {
  const site = await startSite({ renderer: await builtRenderer(dist), sending: false })
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target: 'https://example.com/race', code: 'kaamos' },
      'test',
    ),
  )
  const page = await eventually(async () => {
    const reply = await site.get('/')
    expect(reply.headers.etag).toBeDefined()
    return reply
  })
  const [asset = ''] = page.text.match(/\/assets\/entry-client-[\w-]+\.js/) ?? []
  await site.get('/news/rss.xml')
  const kinds = {
    'a page': { path: '/', status: 200 },
    'an asset': { path: asset, status: 200 },
    'the feed': { path: '/news/rss.xml', status: 200 },
    'a 304': { path: '/', status: 304, headers: `If-None-Match: ${page.headers.etag}\r\n` },
    'a short link': { path: '/l/kaamos', status: 302 },
    'a page that is rendered': { path: '/search?q=kymi', status: 200 },
  }
  return { site, kinds }
}

const requests = (path: string, count: number, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: site\r\n${headers}\r\n`.repeat(count)

const alive = async (site: Site) => expect((await site.get('/api/health')).status).toBe(200)

test('2, 5 and 20 requests at once on one connection are each answered, in order', async () => {
  const { site, kinds } = await readySite()
  await using _ = site
  for (const count of [2, 5, 20]) {
    for (const [kind, { path, status, ...more }] of Object.entries(kinds)) {
      await using connection = await openRaw(site.url)
      connection.write(requests(path, count, 'headers' in more ? more.headers : ''))
      for (let number = 1; number <= count; number += 1) {
        const reply = await connection.reply()
        expect([kind, count, number, reply.status]).toEqual([kind, count, number, status])
        expect(reply.headers['x-content-type-options'] ?? reply.headers.etag, kind).toBeDefined()
      }
    }
  }
  await alive(site)
})

test('a client that disconnects with 2, 5 or 20 unread answers does not disturb others', async () => {
  const { site, kinds } = await readySite()
  await using _ = site
  for (const count of [2, 5, 20]) {
    for (const { path, ...more } of Object.values(kinds)) {
      const connection = await openRaw(site.url, { reading: false })
      connection.write(requests(path, count, 'headers' in more ? more.headers : ''))
      connection.socket.resetAndDestroy()
    }
  }
  await alive(site)
})

test('a client that closes its half of the connection still gets its answers', async () => {
  const { site } = await readySite()
  await using _ = site
  await using connection = await openRaw(site.url)
  connection.socket.end(requests('/', 3))
  for (let number = 0; number < 3; number += 1) {
    expect((await connection.reply()).status).toBe(200)
  }
})

test('an exception in front of the middleware is a 500 and a line in the log', async () => {
  const broken = (): Feature => ({
    name: 'broken',
    routes({ early }) {
      early.take('/broken/', ({ url }) => {
        const error = new Error('disk I/O error')
        if (url === '/broken/at-once') throw error
        return Promise.reject(error)
      })
    },
  })
  await using site = await startSite({ features: [broken] })
  for (const path of ['/broken/at-once', '/broken/later']) {
    const reply = await site.get(path)
    expect([path, reply.status]).toEqual([path, 500])
    expect(reply.json).toMatchObject({ success: false, requestId: reply.headers['x-request-id'] })
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.text).not.toContain('disk')
    const line = site.logLines().find((each) => each.includes(String(reply.json!.requestId)))
    expect(line).toContain('disk I/O error')
  }
  await alive(site)
})
