import { request } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openRaw, type RawConnection } from '../support/raw-connection.ts'
import { startSite } from '../support/site.ts'

const declared = 400 * 1024 * 1024
const piece = 'x'.repeat(64 * 1024)

/** Where bodies are sent to: routes that read one, routes that take none, and no routes at all. */
const targets: [method: string, path: string, type: string][] = [
  ['POST', '/api/save-contact-form', 'application/json'],
  ['POST', '/api/send-email', 'application/json'],
  ['POST', '/api/authenticate-client', 'application/json'],
  ['POST', '/api/links', 'application/json'],
  ['POST', '/api/nothing', 'application/json'],
  ['POST', '/contactwindow', 'application/x-www-form-urlencoded'],
  ['POST', '/subscription/form', 'application/x-www-form-urlencoded'],
  ['POST', '/subscription/leave/nobody', 'application/x-www-form-urlencoded'],
  ['POST', '/s/nothing/password', 'application/x-www-form-urlencoded'],
  ['POST', '/s/nothing/zip', 'application/x-www-form-urlencoded'],
  ['POST', '/portfolio', 'text/plain'],
  ['PUT', '/nothing', 'application/octet-stream'],
  ['DELETE', '/assets/nothing', 'application/octet-stream'],
  ['GET', '/', 'application/octet-stream'],
  ['GET', '/robots.txt', 'application/octet-stream'],
  ['GET', '/api/health', 'application/octet-stream'],
]

const security = (url: string) =>
  `Origin: ${url}\r\nCookie: X-CSRF-TOKEN=${'0'.repeat(32)}\r\nX-CSRF-TOKEN: ${'0'.repeat(32)}\r\n`

/** Writes pieces until the other side has had enough. @returns how many bytes went out */
async function pour(connection: RawConnection, wrap: (text: string) => string): Promise<number> {
  const { socket } = connection
  const state = { isClosed: false }
  const closed = (async () => {
    await connection.closed()
    state.isClosed = true
  })()
  while (!state.isClosed && socket.writable && socket.bytesWritten < declared) {
    if (socket.write(wrap(piece), 'latin1')) await new Promise((resolve) => setImmediate(resolve))
    else await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
  }
  return socket.bytesWritten
}

test.each(targets)('%s %s refuses 400 MB before it has read them', async (method, path, type) => {
  await using site = await startSite()
  const head = `${method} ${path} HTTP/1.1\r\nHost: site\r\nContent-Type: ${type}\r\n${security(site.url)}`
  await using connection = await openRaw(site.url)
  connection.write(`${head}Content-Length: ${declared}\r\n\r\n`)
  const reply = await connection.reply()
  expect(reply.status).toBe(413)
  expect(reply.headers).toMatchObject({ connection: 'close', 'x-content-type-options': 'nosniff' })
  expect(JSON.parse(reply.body.toString())).toMatchObject({ success: false, code: 'too-large' })
  await connection.closed()
})

test.each(targets)(
  '%s %s refuses a body without a length as soon as it is too long',
  async (method, path, type) => {
    await using site = await startSite()
    const head = `${method} ${path} HTTP/1.1\r\nHost: site\r\nContent-Type: ${type}\r\n${security(site.url)}`
    await using connection = await openRaw(site.url)
    connection.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    const reply = connection.reply()
    const poured = await pour(connection, (text) => `${text.length.toString(16)}\r\n${text}\r\n`)
    const { status, headers } = await reply
    // What takes no body answers as it always does; either way no one reads on.
    expect(status).toBeGreaterThanOrEqual(method === 'GET' ? 200 : 400)
    expect(headers.connection).toBe(status === 413 ? 'close' : 'keep-alive')
    expect(poured).toBeLessThan(declared / 2)
  },
)

test('a chunked body that its route reads is answered with 413', async () => {
  await using site = await startSite()
  await using connection = await openRaw(site.url)
  connection.write(
    `POST /subscription/form HTTP/1.1\r\nHost: site\r\nContent-Type: application/x-www-form-urlencoded\r\n${security(site.url)}Transfer-Encoding: chunked\r\n\r\n`,
  )
  const reply = connection.reply()
  await pour(connection, (text) => `${text.length.toString(16)}\r\n${text}\r\n`)
  expect((await reply).status).toBe(413)
})

test('an ordinary client gets to read the refusal', async () => {
  await using site = await startSite()
  const body = Buffer.alloc(60 * 1024 * 1024, 'x')
  const headers = { 'Content-Type': 'application/json', Origin: site.url }
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${site.url}/api/save-contact-form`,
      { method: 'POST', headers: { ...headers, 'Content-Length': body.length } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
  expect(status).toBe(413)
  const fetched = await fetch(`${site.url}/contactwindow`, { method: 'POST', headers, body })
  expect(fetched.status).toBe(413)
})

test('a client that reads nothing before all is sent gets the refusal, too', async () => {
  await using site = await startSite()
  const { hostname, port } = new URL(site.url)
  const size = 8 * 1024 * 1024
  const socket = connect(Number(port), hostname)
  const head = `POST /api/send-email HTTP/1.1\r\nHost: site\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n${security(site.url)}\r\n`
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(head + 'x'.repeat(size), (error) => (error ? reject(error) : resolve()))
  })
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 413 .*"code":"too-large"\}$/s)
})

test('a body announced as too large by Expect: 100-continue is refused before it is sent', async () => {
  await using site = await startSite()
  for (const [length, status] of [
    [declared, 413],
    [100, 100],
  ] as const) {
    await using connection = await openRaw(site.url)
    connection.write(
      `POST /api/nothing HTTP/1.1\r\nHost: site\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    )
    expect((await connection.reply()).status).toBe(status)
  }
})

test('bodies of the usual size keep the connection', async () => {
  await using site = await startSite()
  await using connection = await openRaw(site.url)
  const head = `POST /api/nothing HTTP/1.1\r\nHost: site\r\nContent-Type: application/json\r\n`
  for (let number = 0; number < 3; number += 1) {
    connection.write(`${head}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`)
    const { status, headers } = await connection.reply()
    expect([status, headers.connection]).toEqual([404, 'keep-alive'])
  }
})

test('chunked bodies that no route reads are counted one by one, not over the connection', async () => {
  await using site = await startSite()
  await using connection = await openRaw(site.url)
  const size = 200_000
  const chunked = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`
  const paths = ['/', '/robots.txt', '/api/nothing']
  for (let number = 0; number < 60; number += 1) {
    const path = paths[number % paths.length]!
    connection.write(`GET ${path} HTTP/1.1\r\nHost: site\r\nTransfer-Encoding: chunked\r\n\r\n`)
    connection.write(chunked)
    const { status, headers } = await connection.reply()
    expect([path, status, headers.connection]).toEqual([
      path,
      path === '/api/nothing' ? 404 : 200,
      'keep-alive',
    ])
  }
})

test('a request behind a refused body is not served, and slow senders of many keep no one waiting', async () => {
  await using site = await startSite({ sending: false })
  const { port } = new URL(site.url)
  const head = (bytes: number) =>
    `POST /api/save-contact-form HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  const answersTo = (first: string, more?: string) =>
    new Promise<string[]>((resolve) => {
      let got = ''
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('data', (data) => (got += String(data)))
      socket.on('error', () => {})
      const timer = more && setInterval(() => socket.write(more), 300)
      socket.on('close', () => {
        clearInterval(timer || undefined)
        resolve(got.match(/HTTP\/1\.1 \d+/g) ?? [])
      })
      socket.write(first)
    })
  const next = `GET /api/health HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\n\r\n`
  const refused = ['HTTP/1.1 413']
  expect(await answersTo(`${head(2_000_000)}${'x'.repeat(2_000_000)}${next}`)).toEqual(refused)
  // They send a little now and then, and end all the same.
  const slow = Array.from({ length: 30 }, () => answersTo(head(90_000_000), 'x'.repeat(200)))
  expect((await site.get('/api/health', { from: '127.0.9.1' })).status).toBe(200)
  expect(await Promise.all(slow)).toEqual(slow.map(() => refused))
})
