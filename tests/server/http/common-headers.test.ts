import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import helmet from 'helmet'
import { expect, test } from 'vitest'
import { commonHeaders } from '#server/http/guards.ts'

test.each([true, false])('the common headers are those of helmet, https: %s', async (https) => {
  const setHeaders = helmet({
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: https && {
      maxAge: 63_072_000,
      includeSubDomains: true,
      preload: true,
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    frameguard: { action: 'sameorigin' },
  })
  await using server = createServer((request, response) =>
    setHeaders(request, response, () => response.end()),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const ofNode = ['connection', 'content-length', 'date', 'keep-alive']
  const expected = [...headers].filter(([name]) => !ofNode.includes(name))
  const ours = Object.entries(commonHeaders({ https }))
    .map(([name, value]) => [name.toLowerCase(), value])
    .filter(([name]) => !['permissions-policy', 'content-security-policy'].includes(name!))
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(expected))
})
