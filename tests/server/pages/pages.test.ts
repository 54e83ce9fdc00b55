import { get, request as httpRequest } from 'node:http'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { hashSource } from '#server/http/security-headers.ts'
import { builtRenderer, type Renderer } from '#server/renderer.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { postForm } from '../../support/page-form.ts'
import { noPages, startSite } from '../../support/site.ts'

type Raw = {
  status: number
  headers: Record<string, string | string[] | undefined>
  rawHeaders: string[]
  body: Buffer
}

/**
 * A raw reply: fetch would decompress it.
 * @param options `arrived` sees what has come so far, with every part
 */
function raw(
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', arrived }: { method?: string; arrived?: (bytes: Buffer) => void } = {},
) {
  return new Promise<Raw>((resolve, reject) => {
    httpRequest(url, { headers, method }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => {
        parts.push(part)
        arrived?.(Buffer.concat(parts))
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(parts),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

/** The page once it comes from the cache, which its ETag shows. */
const cached = (url: string, headers: Record<string, string> = {}) =>
  eventually(async () => {
    const reply = await raw(url, headers)
    expect(reply.headers.etag).toBeDefined()
    return reply
  })

// The sites run no jobs: the one of a new day makes cached pages void, some time after the start.
const renderer = () => builtRenderer(dist)

/** The sources of the inline scripts of a page that a browser would run. */
const inlineScriptHashes = (html: string) =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes]) => !/\ssrc=|\stype="application\//.test(attributes!))
    .map(([, , body]) => hashSource(body!))

test('a first visitor gets a streamed page with a nonce, the next the cached one with hashes', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const first = await raw(`${site.url}/`)
  expect(first.status).toBe(200)
  expect(first.headers['content-security-policy']).toContain("'nonce-")
  expect(first.headers.etag).toBeUndefined()
  const second = await cached(`${site.url}/`)
  const policy = String(second.headers['content-security-policy'])
  expect(policy).not.toContain('nonce-')
  expect(policy).not.toContain('unsafe-inline')
  for (const hash of inlineScriptHashes(second.body.toString())) expect(policy).toContain(hash)
  expect(second.headers['cache-control']).toContain('public')
  expect(second.headers['set-cookie']).toBeUndefined()
})

test('a cached page has the same text in every encoding, each with an ETag of its own', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const url = `${site.url}/contactwindow`
  const identity = await cached(url)
  const br = await raw(url, { 'Accept-Encoding': 'gzip, br' })
  const gzip = await raw(url, { 'Accept-Encoding': 'br;q=0, gzip' })
  expect(br.headers['content-encoding']).toBe('br')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(brotliDecompressSync(br.body).equals(identity.body)).toBe(true)
  expect(gunzipSync(gzip.body).equals(identity.body)).toBe(true)
  expect(new Set([identity, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
})

test('a conditional request for a cached page gets 304 without a body in any encoding', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const url = `${site.url}/contactwindow`
  const page = await cached(url, { 'Accept-Encoding': 'br' })
  const again = await raw(url, { 'If-None-Match': String(page.headers.etag) })
  expect(again.status).toBe(304)
  expect(again.body.length).toBe(0)
  expect(again.headers.etag).toBe(page.headers.etag)
  const head = await raw(url, {}, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.body.length).toBe(0)
  expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
})

test('a conditional request of any variant is answered 304; a plain one draws a new variant', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const url = `${site.url}/`
  const drawn = new Set<string>()
  const held = await eventually(async () => {
    for (let draw = 0; draw < 20; draw += 1) drawn.add(String((await cached(url)).headers.etag))
    expect(drawn.size).toBeGreaterThan(1)
    return [...drawn][0]!
  })
  const ask = async (headers: Record<string, string>) => {
    const statuses = new Set<number>()
    for (let time = 0; time < 40; time += 1)
      statuses.add((await raw(url, { 'If-None-Match': held, ...headers })).status)
    return [...statuses].toSorted((a, b) => a - b)
  }
  expect(await ask({})).toEqual([304])
  expect(await ask({ 'Sec-Fetch-Dest': 'document' })).toEqual([200, 304])
  expect(await ask({ 'If-None-Match': '*' })).toEqual([304])
})

test('a cached page has the security headers that the ordinary chain gives', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const chain = await raw(`${site.url}/api/health`)
  const page = await cached(`${site.url}/contactwindow`)
  const asset = await raw(
    site.url + page.body.toString().match(/\/assets\/entry-client-[\w-]+\.js/)![0],
  )
  for (const name of [
    'x-content-type-options',
    'referrer-policy',
    'permissions-policy',
    'x-frame-options',
    'cross-origin-opener-policy',
  ]) {
    expect(page.headers[name], name).toBe(chain.headers[name])
    expect(asset.headers[name], name).toBe(chain.headers[name])
  }
  for (const { headers } of [chain, page, asset]) expect(headers['x-request-id']).toBeTruthy()
  expect(asset.headers['cache-control']).toContain('immutable')
})

test('the styles of a page fill their layers in order', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const page = await cached(`${site.url}/portfolio`)
  const [sheet] = page.body.toString().match(/\/assets\/page-[\w-]+\.css/) ?? []
  const styles = await raw(site.url + sheet)
  const layers = styles.body.toString().matchAll(/@layer ([\w, ]+)[;{]/g)
  const named = [...layers].flatMap(([, names]) => names!.split(/, ?/))
  expect([...new Set(named)]).toEqual(['reset', 'tokens', 'base', 'ui', 'page'])
})

test('tracking parameters neither miss the cached page nor show up in it', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  await cached(`${site.url}/contactwindow`)
  const tracked = await raw(`${site.url}/contactwindow?utm_source=mail&x=%3Cscript%3E`)
  expect(tracked.headers.etag).toBeDefined()
  expect(tracked.body.toString()).not.toContain('utm_source')
})

/** Reads what has come so far of a body in an encoding. */
const decode = {
  identity: (bytes: Buffer) => bytes.toString(),
  br: (bytes: Buffer) =>
    brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString(),
  gzip: (bytes: Buffer) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString(),
}

test.each(['identity', 'br', 'gzip'] as const)(
  'slow content does not hold up the shell: placeholders first, the cards in the same reply (%s)',
  async (encoding) => {
    await using directus = await startDirectus({
      collections: {
        services: [1, 2, 3].map((id) => ({
          id,
          title: `Service ${id}`,
          description: 'What it is',
          url: `service-${id}`,
          sort: id,
        })),
      },
    })
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    directus.fail({ kind: 'hold', until })
    await using site = await startSite({
      renderer: await renderer(),
      env: { CONTENT_URL: directus.url },
      // What ends the wait is the shell, however long a busy machine takes for it.
      contentTiming: { timeout: 60_000 },
    })
    let shell = ''
    const placeholders = () => shell.match(/[\w-]*_placeholder/g) ?? []
    const arrived = (bytes: Buffer) => {
      if (placeholders().length >= 6) return
      shell = decode[encoding](bytes)
      if (placeholders().length >= 6) answer()
    }
    const page = await raw(`${site.url}/`, { 'Accept-Encoding': encoding }, { arrived })
    expect(page.headers['content-encoding'] ?? 'identity').toBe(encoding)
    expect(page.headers.vary).toContain('Accept-Encoding')
    expect(shell).toContain('<header')
    expect(shell).toContain('<h1')
    expect(placeholders()).toHaveLength(6)
    expect(shell).not.toContain('Service 1')
    expect(decode[encoding](page.body)).toContain('Service 1')
  },
)

test('content that fails leaves the page standing with the failure text, and the page is not kept', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'status', status: 500 })
  await using site = await startSite({
    renderer: await renderer(),
    env: { CONTENT_URL: directus.url },
    contentTiming: { timeout: 300 },
  })
  const page = await raw(`${site.url}/`)
  expect(page.status).toBe(200)
  expect(page.body.toString()).toContain('Failed to load services. Please try again later.')
  expect((await raw(`${site.url}/`)).headers.etag).toBeUndefined()
})

test('a page that a session opens is sent as long as it is, any other compressed', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const encodingOf = async (path: string) => {
    const reply = await raw(site.url + path, { 'Accept-Encoding': 'br, gzip' })
    return [path, reply.headers['content-encoding']]
  }
  for (const path of ['/client-zone', '/panel', '/shop/cart', '/desk', '/shop/checkout/success']) {
    expect(await encodingOf(path)).toEqual([path, undefined])
  }
  for (const path of ['/booking', '/search?q=rally', '/shop/withdraw', '/no-such-page']) {
    expect(await encodingOf(path)).toEqual([path, 'br'])
  }
})

test('a page that its address opens is compressed to a length of chance, and is the same page', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const url = `${site.url}/s/abc`
  const plain = await raw(url)
  expect(plain.body.toString()).toMatch(/^<!DOCTYPE html>/)
  const main = (html: string) => /<main.*<\/main>/s.exec(html)?.[0]
  for (const [encoding, decoded] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const lengths = new Set<number>()
    for (let time = 0; time < 12; time += 1) {
      const page = await raw(url, { 'Accept-Encoding': encoding })
      expect(page.headers['content-encoding']).toBe(encoding)
      expect(page.headers.vary).toContain('Accept-Encoding')
      expect(page.headers['cache-control']).toBe('private, no-store')
      const html = decoded(page.body).toString()
      expect(html).toMatch(/^<!-- [\w+/=]* -->\n<!DOCTYPE html>/)
      expect(main(html)).toBe(main(plain.body.toString()))
      lengths.add(page.body.length)
    }
    expect(lengths.size).toBeGreaterThan(6)
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan(40)
  }
})

test('an unknown address is a real 404 page', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const page = await raw(`${site.url}/no/such/page`)
  expect(page.status).toBe(404)
  expect(page.body.toString()).toContain('Oops! Page not found')
  expect(page.headers['cache-control']).toBe('private, no-store')
})

test('a page that says “too many” says when to come back, after a visit and after a form', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  const untilRefused = async (ask: () => ReturnType<typeof postForm>) => {
    for (let n = 0; n < 200; n += 1) {
      const reply = await ask()
      if (reply.status === 429) return reply
    }
    throw new Error('Nothing was refused.')
  }
  const visit = await untilRefused(() => site.get('/ticket/no-such-token'))
  expect(visit.text).toContain('Too Many Requests')
  expect(Number(visit.headers['retry-after'])).toBeGreaterThan(0)
  const entries = { intent: 'discount', discount: 'SPRING10' }
  const form = await untilRefused(() => postForm(site, '/shop/cart', entries))
  expect(form.text).toContain('Please wait')
  expect(Number(form.headers['retry-after'])).toBeGreaterThan(0)
  const missing = await site.get('/news/no-such-article')
  expect(missing.headers).not.toHaveProperty('retry-after')
})

test('the home page shows one of the published heroes, not always the same', async () => {
  await using site = await startSite({ renderer: await renderer(), sending: false })
  await cached(`${site.url}/`)
  const titles = new Set<string>()
  await eventually(async () => {
    const { body } = await raw(`${site.url}/`)
    titles.add(body.toString().match(/<h1[^>]*>(.*?)<\/h1>/s)?.[1] ?? '')
    expect(titles.size).toBeGreaterThan(1)
  })
})

test('a renderer that breaks gives a calm 500 with the request id and no inner text', async () => {
  const broken: Renderer = {
    ...noPages,
    render: () => Promise.reject(new Error('SELECT secrets FROM inside')),
  }
  await using site = await startSite({ renderer: broken })
  const reply = await raw(`${site.url}/`)
  expect(reply.status).toBe(500)
  expect(reply.body.toString()).not.toContain('SELECT')
  expect(reply.body.toString()).toContain(String(reply.headers['x-request-id']))
})

test('a client that disconnects in the middle of a page does not disturb others', async () => {
  await using directus = await startDirectus()
  directus.fail({ kind: 'hang' })
  await using site = await startSite({
    renderer: await renderer(),
    env: { CONTENT_URL: directus.url },
  })
  await new Promise<void>((resolve) => {
    get(`${site.url}/`, (response) => {
      response.once('data', () => {
        response.destroy()
        resolve()
      })
    })
  })
  directus.heal()
  expect((await raw(`${site.url}/contactwindow`)).status).toBe(200)
  expect(site.logLines().filter((line) => line.includes('page failed'))).toEqual([])
})
