import { expect, test } from 'vitest'
import { builtRenderer } from '#server/renderer.ts'
import { dist } from '#server/dist.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite } from '../support/site.ts'

const person = { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' }

test.each(['/%E0%A4%A', '/%', '/news/%ff', '/services/%C0%80', '/l/%E0', '/s/%zz/zip'])(
  '%s is a page with three ways on for people, and JSON for programs',
  async (path) => {
    await using site = await startSite()
    const page = await site.get(path, { headers: person })
    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    for (const way of ['Go Back', 'Back to Home', 'Reload Page']) expect(page.text).toContain(way)
    expect(page.text).toContain('<a href="/">Back to Home</a>')
    expect(page.text).toMatch(/<header>[^]*?<\/svg>\s*Apex North Media\s*<\/a>/)
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-/)
    const json = await site.get(path)
    expect([json.status, json.json]).toMatchObject([400, { success: false, code: 'malformed' }])
  },
)

/** What a stranger may write where a request should be, and what comes back. */
const oddities: [name: string, text: string, status: number][] = [
  ['no HTTP at all', 'HELO example.com\r\n\r\n', 400],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['two Hosts', 'GET /robots.txt HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400],
  ['the same Host twice', 'GET /robots.txt HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  ['two Hosts in HTTP/1.0', 'GET /robots.txt HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  [
    'two Hosts and a body',
    'POST /api/logout HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 2\r\n\r\n{}',
    400,
  ],
  [
    'the same length twice',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx',
    400,
  ],
  ['a folded Host', 'GET / HTTP/1.1\r\nHost:\r\n a\r\n\r\n', 400],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    400,
  ],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'an unknown transfer encoding',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n',
    400,
  ],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n', 400],
  ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
  [
    'a chunk of a size that is none',
    'POST /api/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  ['headers of 100 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  ['an address of 100 kB', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  [
    'an expectation that nobody meets',
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\n\r\n',
    417,
  ],
  [
    'an upgrade',
    'GET /robots.txt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    200,
  ],
  [
    'an upgrade to HTTP/2',
    'GET /robots.txt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
    200,
  ],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 204],
  ['OPTIONS of what cannot be read', 'OPTIONS /%00%ff HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['OPTIONS of a double slash', 'OPTIONS //evil HTTP/1.1\r\nHost: a\r\n\r\n', 204],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\nCookie: secret=1\r\n\r\n', 405],
  ['a method that nobody knows here', 'PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['HTTP/1.0', 'GET /robots.txt HTTP/1.0\r\n\r\n', 200],
  ['a Host that is none', 'GET /robots.txt HTTP/1.1\r\nHost: a b<script>\r\n\r\n', 200],
  [
    'a target with its server',
    'GET http://elsewhere.example/robots.txt HTTP/1.1\r\nHost: a\r\n\r\n',
    200,
  ],
  ['a target that is no address', 'GET http://[/robots.txt HTTP/1.1\r\nHost: a\r\n\r\n', 200],
  ['a target with a name and a port', 'GET elsewhere.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  [
    'a body nobody asked for',
    'GET /robots.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc',
    200,
  ],
  [
    'thousands of headers',
    `GET /robots.txt HTTP/1.1\r\nHost: a\r\n${'a:b\r\n'.repeat(3000)}\r\n`,
    431,
  ],
]

test.each(oddities)('%s is answered calmly, and the site goes on', async (name, text, status) => {
  await using site = await startSite()
  await using connection = await openRaw(site.url)
  connection.write(text)
  const reply = await connection.reply()
  expect([name, reply.status]).toEqual([name, status])
  const usual = await site.get('/robots.txt')
  for (const header of ['x-content-type-options', 'referrer-policy', 'permissions-policy'])
    expect([name, header, reply.headers[header]]).toEqual([name, header, usual.headers[header]])
  expect(reply.headers['content-security-policy']).toMatch(/default-src '(?:none|self)'/)
  const body = reply.body.toString()
  expect(body).not.toMatch(/secret=1|<script>|\bat \S+ \(|node:internal/)
  expect(reply.headers.location).toBeUndefined()
  expect((await site.get('/api/health')).status).toBe(200)
})

test('a second request that hides in the body of a first is not taken for one', async () => {
  await using site = await startSite()
  await using connection = await openRaw(site.url)
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n'
  connection.write(
    `POST /api/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n`,
  )
  expect((await connection.reply()).status).toBe(404)
  expect((await connection.reply()).headers['content-type']).toContain('text/plain')
  expect(site.logLines().some((line) => line.includes('hidden'))).toBe(false)
})

test('CONNECT is cut off', async () => {
  await using site = await startSite()
  await using connection = await openRaw(site.url)
  connection.write('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')
  expect((await connection.closed()).toString()).toBe('')
})

test('HEAD has the headers of GET and no body, whatever the address', async () => {
  await using site = await startSite()
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target: 'https://example.com/race', code: 'kaamos' },
      'test',
    ),
  )
  for (const path of [
    '/',
    '/robots.txt',
    '/news/rss.xml',
    '/l/kaamos',
    '/api/health',
    '/nothing',
    '/%ff',
  ]) {
    await using connection = await openRaw(site.url)
    connection.write(
      `HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\nGET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    const head = await connection.reply({ bodiless: true })
    const next = await connection.reply()
    expect([path, next.status, next.body.toString().slice(0, 10)]).toEqual([
      path,
      200,
      'User-agent',
    ])
    const get = await site.get(path)
    expect([path, head.status]).toEqual([path, get.status])
  }
})

test('a token of any length opens nothing, and is looked up without an error', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const addresses = [
    (token: string) => `/booking/${token}`,
    (token: string) => `/booking/${token}.ics`,
    (token: string) => `/booking/staff/${token}`,
    (token: string) => `/calendar/${token}.ics`,
    (token: string) => `/shop/orders/${token}`,
    (token: string) => `/shop/orders/${token}/invoice.pdf`,
    (token: string) => `/shop/downloads/${token}/a.zip`,
    (token: string) => `/shop/checkout/success?order=${token}`,
    (token: string) => `/s/${token}`,
    (token: string) => `/s/${token}/zip`,
    (token: string) => `/api/folders/${token}`,
    (token: string) => `/l/${token}`,
    (token: string) => `/assets/${token}`,
    (token: string) => `/news/${token}`,
    (token: string) => `/subscription/confirm/${token}`,
    (token: string) => `/subscription/leave/${token}`,
  ]
  for (const address of addresses) {
    for (const unit of ['a', 'A1_', '%E2%82%AC']) {
      for (const length of [300, 14_000]) {
        const path = address(unit.repeat(Math.ceil(length / unit.length)))
        const { status } = await site.get(path)
        expect([path.slice(0, 60), length, status]).toEqual([path.slice(0, 60), length, 404])
      }
    }
  }
  expect(site.logLines().filter((line) => /"level":(?:50|60)/.test(line))).toEqual([])
})
