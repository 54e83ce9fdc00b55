import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { limitConnections } from '#server/http/connections/connection-limits.ts'
import { listen, defaultTimeouts } from '#server/http/connections/listen.ts'
import { openRaw, type RawConnection } from '../support/raw-connection.ts'

const large = Buffer.alloc(24 * 1024 * 1024)

/** A server that answers with more than the buffers between two programs hold. */
async function startLarge(options: Partial<Parameters<typeof listen>[1]>) {
  let seen = 0
  const listening = await listen(
    (request, response) => {
      seen += 1
      request.resume()
      if (request.url === '/late') request.once('end', () => response.end())
      else response.end(request.url === '/large' ? large : 'small')
    },
    { port: 0, host: '127.0.0.1', ...options },
  )
  return {
    url: `http://127.0.0.1:${listening.port}`,
    server: listening.server,
    /** Requests whose heads have come. */
    seen: () => seen,
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
  // Node begins the time again once, where a part of its last write got through.
  expect(2 * defaultTimeouts.stalled).toBeLessThan(60_000)
})

test('a client that reads slowly gets the whole answer', async () => {
  // Longer than a crowded machine keeps a test waiting for the processor.
  const stalled = 5_000
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
    }, 25)
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
  await using site = await startLarge({ max: { all: 30, client: 10 } })
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

/** Opens connections that say something, from addresses of their own, one after the other. */
async function crowd(url: string, count: number, text: string): Promise<RawConnection[]> {
  const open: RawConnection[] = []
  for (let number = 0; number < count; number += 1) {
    const connection = await openRaw(url, { from: `127.0.1.${number + 1}` })
    if (text) connection.write(text)
    open.push(connection)
  }
  return open
}

const isOpen = ({ socket }: RawConnection) => !socket.destroyed && !socket.readableEnded

test.each([
  ['say nothing', ''],
  ['never end their heads', 'GET / HTTP/1.1\r\nHost: site\r\nX-Slow:'],
  ['never end their bodies', `${post}Content-Length: 9\r\n\r\nslow`],
])('clients that %s shut nobody out: the oldest of them go first', async (_, text) => {
  await using site = await startLarge({ max: { all: 20, client: 10 } })
  const waiting = await crowd(site.url, 20, text)
  // Connections are accepted before what comes on them is read.
  await expect.poll(() => site.seen()).toBe(text.startsWith('POST') ? 20 : 0)
  const visitors: RawConnection[] = []
  for (let number = 0; number < 5; number += 1) {
    const visitor = await openRaw(site.url, { from: '127.0.0.2' })
    visitors.push(visitor)
    visitor.write(ask('/'))
    expect((await visitor.reply()).body.toString()).toBe('small')
    // Those that are idle go before the ones whose bodies are under way.
    if (!text.startsWith('POST') || number === 0) await waiting[number]!.closed()
  }
  expect(waiting.slice(5).every(isOpen)).toBe(true)
  for (const { socket } of [...waiting, ...visitors]) socket.destroy()
})

test('a connection that is kept for later gives way, one that is being answered does not', async () => {
  await using site = await startLarge({ max: { all: 3 } })
  await using busy = await openRaw(site.url, { reading: false, from: '127.0.1.1' })
  busy.write(ask('/large'))
  await expect.poll(() => site.seen()).toBe(1)
  const kept = await crowd(site.url, 2, ask('/'))
  for (const connection of kept) expect((await connection.reply()).status).toBe(200)
  await using visitor = await openRaw(site.url, { from: '127.0.0.2' })
  visitor.write(ask('/'))
  expect((await visitor.reply()).status).toBe(200)
  await kept[0]!.closed()
  expect([busy, kept[1]!].every(isOpen)).toBe(true)
  for (const { socket } of kept) socket.destroy()
})

test('where every connection is being answered, a new one is turned away', async () => {
  await using site = await startLarge({ max: { all: 2 } })
  const busy = [
    await openRaw(site.url, { reading: false }),
    await openRaw(site.url, { reading: false }),
  ]
  for (const connection of busy) connection.write(ask('/large'))
  await expect.poll(() => site.seen()).toBe(2)
  await using visitor = await openRaw(site.url)
  expect(await untilCut(visitor)).toBeLessThan(5_000)
  expect(busy.every(isOpen)).toBe(true)
  for (const { socket } of busy) socket.destroy()
})

test('the networks of one IPv6 customer have a limit together', () => {
  const server = new EventEmitter() as Server
  const max = { all: 100, client: 3, network: 5 }
  limitConnections(server, max, () => false, { stateOf: () => 'waiting' })
  const connect = (remoteAddress: string) => {
    let isCut = false
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroy() {
        isCut = true
        socket.emit('close')
      },
    })
    server.emit('connection', socket)
    return { socket, isCut }
  }
  const open = (address: string, count: number) =>
    Array.from({ length: count }, () => connect(address)).filter(({ isCut }) => !isCut)
  expect(open('2001:db8:1:1::1', 4)).toHaveLength(3)
  const second = open('2001:db8:1:200::1', 4)
  expect(second).toHaveLength(2)
  expect(open('2001:db8:1:300::1', 1)).toHaveLength(0)
  expect(open('2001:db8:2:100::1', 3)).toHaveLength(3)
  for (const address of ['192.0.2.1', '::ffff:192.0.2.2', '::ffff:192.0.2.3']) {
    expect([address, open(address, 4).length]).toEqual([address, 3])
  }
  second[0]!.socket.emit('close')
  expect(open('2001:db8:1:300::1', 2)).toHaveLength(1)
})

test('proxies in front have no limit of their own', async () => {
  await using site = await startLarge({ max: { client: 2 }, trustProxy: ['127.0.0.0/8'] })
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
  await using site = await startLarge({ timeouts, hsts: 'max-age=63072000' })
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
