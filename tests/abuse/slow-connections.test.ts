import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { listen, usualTimeouts } from '#server/http/listen.ts'
import { openRaw, type RawConnection } from '../support/raw-connection.ts'

const large = Buffer.alloc(24 * 1024 * 1024)

/** A server that answers with more than the buffers between two programs hold. */
async function startLarge(options: Partial<Parameters<typeof listen>[1]>) {
  const listening = await listen(
    (request, response) => {
      request.resume()
      if (request.url === '/late') request.once('end', () => response.end())
      else response.end(request.url === '/large' ? large : 'small')
    },
    { port: 0, host: '127.0.0.1', ...options },
  )
  return {
    url: `http://127.0.0.1:${listening.port}`,
    server: listening.server,
    [Symbol.asyncDispose]: () => listening.close(0),
  }
}

const hurried = { headers: 400, request: 800, idle: 400, stalled: 400 }
const post = 'POST /late HTTP/1.1\r\nHost: site\r\n'
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: site\r\n\r\n`

/** How long it takes until the other side cuts the connection, in milliseconds. */
async function untilCut(connection: RawConnection): Promise<number> {
  const began = performance.now()
  await connection.closed()
  return performance.now() - began
}

test('a client that does not read its answer is cut off', async () => {
  await using site = await startLarge({ timeouts: hurried })
  await using connection = await openRaw(site.url, { reading: false })
  const accepted = once(site.server, 'request')
  connection.write(ask('/large'))
  const [, response] = (await accepted) as [IncomingMessage, ServerResponse]
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
})

test('without other settings a client that does not read is cut within a minute', () => {
  // Node begins the time anew once, where a part of its last write got through.
  expect(2 * usualTimeouts.stalled).toBeLessThan(60_000)
})

test('a client that reads slowly gets the whole answer', async () => {
  // Longer than a crowded machine keeps a test waiting for the processor.
  const stalled = 2_000
  await using site = await startLarge({ timeouts: { ...hurried, stalled } })
  await using connection = await openRaw(site.url, { reading: false })
  const { socket } = connection
  socket.write(ask('/large'))
  let bytes = 0
  const began = performance.now()
  await new Promise<void>((resolve, reject) => {
    const read = setInterval(() => {
      const piece = socket.read() as Buffer | null
      bytes += piece?.length ?? 0
      if (bytes > large.length) {
        clearInterval(read)
        resolve()
      }
    }, 10)
    const cut = () => {
      clearInterval(read)
      reject(new Error(`cut off after ${bytes} bytes`))
    }
    socket.once('end', cut)
    socket.once('close', cut)
  })
  expect(performance.now() - began).toBeGreaterThan(stalled)
})

test.each([
  ['says nothing', ''],
  ['never ends its head', 'GET / HTTP/1.1\r\nHost: site\r\nX-Slow:'],
  ['never ends its body', 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 100\r\n\r\nx'],
  ['says nothing after an answer', ask('/')],
])('a connection that %s is cut off', async (_, text) => {
  await using site = await startLarge({ timeouts: hurried })
  await using connection = await openRaw(site.url)
  if (text) connection.write(text)
  expect(await untilCut(connection)).toBeLessThan(5_000)
})

test('one client cannot take all connections, and another still gets in', async () => {
  await using site = await startLarge({ most: { all: 30, client: 10 } })
  const open: RawConnection[] = []
  for (let number = 0; number < 25; number += 1) open.push(await openRaw(site.url))
  const [last] = open.slice(-1)
  expect(await untilCut(last!)).toBeLessThan(5_000)
  await using other = await openRaw(site.url, { from: '127.0.0.2' })
  other.write(ask('/'))
  expect((await other.reply()).body.toString()).toBe('small')
  open[0]!.write(ask('/'))
  expect((await open[0]!.reply()).status).toBe(200)
  for (const { socket } of open) socket.destroy()
})

test('there is an end to the connections of all clients together', async () => {
  await using site = await startLarge({ most: { all: 20, client: 10 } })
  const open: RawConnection[] = []
  for (let number = 0; number < 40; number += 1) {
    open.push(await openRaw(site.url, { from: `127.0.1.${number + 1}` }))
  }
  expect(await untilCut(open.at(-1)!)).toBeLessThan(5_000)
  for (const { socket } of open) socket.destroy()
})

test('proxies in front have no limit of their own', async () => {
  await using site = await startLarge({ most: { client: 2 }, trustProxy: ['127.0.0.0/8'] })
  const open: RawConnection[] = []
  for (let number = 0; number < 10; number += 1) open.push(await openRaw(site.url))
  for (const connection of open) {
    connection.write(ask('/'))
    expect((await connection.reply()).status).toBe(200)
    connection.socket.destroy()
  }
})

test('a slow request is answered 408 with the common headers', async () => {
  const { stalled: _stalled, ...timeouts } = hurried
  await using site = await startLarge({ timeouts, siteUrl: 'https://site.example' })
  for (const text of ['GET / HTTP/1.1\r\nHost: si', `${post}Content-Length: 9\r\n\r\nslow`]) {
    await using connection = await openRaw(site.url)
    connection.write(text)
    const { status, headers } = await connection.reply()
    expect(status).toBe(408)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.stringContaining('max-age'),
      connection: 'close',
    })
    expect((await connection.closed()).toString()).toBe('')
  }
})

test('a malformed request behind one being answered puts nothing into that answer', async () => {
  await using site = await startLarge({ timeouts: hurried })
  await using connection = await openRaw(site.url, { reading: false })
  const accepted = once(site.server, 'request')
  connection.write(ask('/large'))
  await accepted
  connection.write('no HTTP at all\r\n\r\n')
  const pieces: Buffer[] = []
  for await (const piece of connection.socket) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString('latin1')
  expect(text.match(/HTTP\/1\.1/g)).toEqual(['HTTP/1.1'])
  expect(text.length).toBeLessThan(large.length)
})

test('a body that trickles on after the answer is cut off', async () => {
  await using site = await startLarge({ timeouts: hurried })
  await using connection = await openRaw(site.url)
  connection.write('POST / HTTP/1.1\r\nHost: site\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n')
  expect((await connection.reply()).status).toBe(200)
  const trickle = setInterval(() => connection.write('1\r\nx\r\n'), 50)
  try {
    expect(await untilCut(connection)).toBeLessThan(5_000)
  } finally {
    clearInterval(trickle)
  }
})
