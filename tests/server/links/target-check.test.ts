import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { checkTarget } from '#server/links/target-check.ts'

/** A server of the internet: names under `.example` lead to it, everything else is private. */
async function internet(listener: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host?.split(':')[0]}${request.url}`)
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const lookup: LookupFunction = (name, options, callback) => {
    if (!name.endsWith('.example')) return callback(new Error('not public'), '', 0)
    const found = { address: '127.0.0.1', family: 4 }
    return options.all ? callback(null, [found]) : callback(null, found.address, found.family)
  }
  const network = { lookup, isPrivate: (host: string) => /^[\d.]+$|:/.test(host) }
  return {
    asked,
    address: (path: string) => `http://target.example:${port}${path}`,
    check: (target: string) => checkTarget(target, { network }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

test.each([
  [200, { state: 'ok' }],
  [401, { state: 'ok' }],
  [403, { state: 'ok' }],
  [429, { state: 'ok' }],
  [404, { state: 'failed', problem: 'answers 404' }],
  [410, { state: 'failed', problem: 'answers 410' }],
  [503, { state: 'failed', problem: 'answers 503' }],
])('a target that answers %i', async (status, expected) => {
  await using net = await internet((_request, response) => void response.writeHead(status).end())
  expect(await net.check(net.address('/page'))).toEqual(expected)
  expect(net.asked).toEqual(
    ['HEAD target.example/page', 'GET target.example/page'].slice(0, status < 400 ? 1 : 2),
  )
})

test('servers that know no HEAD are asked by GET, and no body is read', async () => {
  let sent = 0
  await using net = await internet((request, response) => {
    if (request.method === 'HEAD') return void request.socket.destroy()
    response.writeHead(200)
    const more = () => {
      sent += 1
      if (!response.destroyed && sent < 10_000) response.write('x'.repeat(65_536), more)
    }
    return more()
  })
  expect(await net.check(net.address('/'))).toEqual({ state: 'ok' })
  expect(sent).toBeLessThan(1_000)
})

test('redirects are followed a few times', async () => {
  await using net = await internet((request, response) => {
    const hop = Number(request.url!.slice(1))
    response.writeHead(hop > 0 ? 302 : 200, hop > 0 ? { Location: `/${hop - 1}` } : {}).end()
  })
  expect(await net.check(net.address('/5'))).toEqual({ state: 'ok' })
  expect(await net.check(net.address('/6'))).toEqual({
    state: 'failed',
    problem: 'more than 5 redirects',
  })
})

test.each([
  'http://127.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://internal.office/',
  'file:///etc/passwd',
  'http://user:secret@target.example/',
])('a redirect to %s is not followed, and says nothing', async (location) => {
  await using net = await internet((_request, response) => {
    response.writeHead(302, { Location: location }).end()
  })
  expect(await net.check(net.address('/'))).toEqual({ state: 'unknown' })
  expect(net.asked).toEqual(['HEAD target.example/'])
})

test('a port where nobody listens is a failure', async () => {
  const net = await internet((_request, response) => void response.end())
  const gone = net.address('/')
  await net[Symbol.asyncDispose]()
  expect(await net.check(gone)).toEqual({ state: 'failed', problem: 'connection refused' })
})

test('this machine and private networks are never asked, however they are spelt', async () => {
  let hits = 0
  const server = createServer((_request, response) => {
    hits += 1
    response.end()
  }).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  for (const host of [
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]',
  ]) {
    expect([host, await checkTarget(`http://${host}:${port}/`)]).toEqual([
      host,
      { state: 'unknown' },
    ])
  }
  expect(hits).toBe(0)
  server.close()
})
