import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite, type Site } from '../support/site.ts'

type Line = { msg: string; path: string; net: string; from?: string; level: string }

/** Every line so far, which must be JSON in ASCII that a terminal shows as it is. */
const lines = (site: Site) =>
  site.logLines().map((line) => {
    expect(line.endsWith('\n') && line.indexOf('\n') === line.length - 1).toBe(true)
    return JSON.parse(line) as Line
  })

const requests = (site: Site) => lines(site).filter(({ msg }) => msg === 'request')

const inventions = [
  '1.2.3.4","level":"fatal","msg":"forged',
  '127.0.0.1"}\\n{"level":"fatal"}',
  'unknown',
  '<script>',
  "' OR 1=1 --",
  'x'.repeat(5000),
  '203.0.113.7:443:443',
  '[2001:db8::1',
]

test.each([
  ['one hop', '1'],
  ['more hops than there are', '3'],
  ['the addresses of proxies', '127.0.0.0/8'],
])('behind %s no header puts anything but a network into the log', async (_, trust) => {
  await using site = await startSite({ env: { TRUST_PROXY: trust } })
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target: 'https://example.com/race', code: 'kaamos' },
      'test',
    ),
  )
  for (const path of ['/', '/robots.txt', '/l/kaamos', '/api/health']) {
    for (const invention of inventions) {
      const { status } = await site.get(path, { headers: { 'X-Forwarded-For': invention } })
      expect(status).toBeLessThan(400)
    }
  }
  const logged = await eventually(() => {
    const all = requests(site)
    expect(all).toHaveLength(4 * inventions.length)
    return all
  })
  expect(lines(site).map(({ level }) => level)).not.toContain('fatal')
  for (const { net } of logged) expect(net).toBe('127.0.0.0')
})

test('behind a trusted proxy every line has the network of the visitor', async () => {
  await using site = await startSite({
    env: { TRUST_PROXY: 'loopback' },
    renderer: await builtRenderer(dist),
  })
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target: 'https://example.com/race', code: 'kaamos' },
      'test',
    ),
  )
  const forwarded = { 'X-Forwarded-For': '198.51.100.1, 2001:db8:1:2::3' }
  await eventually(async () => expect((await site.get('/')).headers.etag).toBeDefined())
  const before = requests(site).length
  for (const path of ['/', '/robots.txt', '/l/kaamos', '/api/health']) {
    await site.get(path, { headers: forwarded })
  }
  await eventually(() => {
    const logged = requests(site).slice(before)
    expect(logged.map(({ path, net }) => [path, net])).toEqual([
      ['/', '2001:db8:1::'],
      ['/robots.txt', '2001:db8:1::'],
      ['/l/kaamos', '2001:db8:1::'],
      ['/api/health', '2001:db8:1::'],
    ])
    expect(logged[0]!.from).toBe('memory')
  })
})

test('X-Forwarded-For counts only from a trusted proxy', async () => {
  await using site = await startSite()
  await site.get('/robots.txt', { headers: { 'X-Forwarded-For': '198.51.100.1' } })
  await site.get('/api/health', { headers: { 'X-Forwarded-For': '198.51.100.1' } })
  await eventually(() =>
    expect(requests(site).map(({ net }) => net)).toEqual(['127.0.0.0', '127.0.0.0']),
  )
})

test('no path puts control characters, other lines or secrets into the log', async () => {
  await using site = await startSite()
  const paths = [
    '/\u009b31mred',
    '/caf\u00c3\u00a9',
    '/%0d%0a{"level":"fatal"}',
    '/"},{"level":"fatal"',
    `/${'long'.repeat(2000)}`,
    '/%73/secret-of-a-folder',
    '//s/secret-of-a-folder',
    '/x/../panel/secret-of-a-folder',
    '/S/secret-of-a-folder/zip',
  ]
  let answered = 0
  for (const path of paths) {
    await using connection = await openRaw(site.url)
    connection.write(`GET ${path} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n`)
    // What Node's parser refuses does not even get here.
    if ('x-request-id' in (await connection.reply()).headers) answered += 1
  }
  expect(answered).toBeGreaterThanOrEqual(6)
  const logged = await eventually(() => {
    const all = requests(site)
    expect(all).toHaveLength(answered)
    return all
  })
  for (const { path } of logged) {
    expect(path).toMatch(/^[\u0021-\u007e…]{1,320}$/)
    expect(path).not.toContain('secret-of')
  }
  expect(lines(site).map(({ level }) => level)).not.toContain('fatal')
})
