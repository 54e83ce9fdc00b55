import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { commonHeaders, securityHeaders } from '#server/http/security-headers.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from '../../support/site.ts'

test.each([
  { hsts: 'max-age=63072000', indexing: true },
  { hsts: null, indexing: false },
])(
  'what leaves ahead of the middleware has the headers that helmet gives behind it, %j',
  async (settings) => {
    const app = express().disable('x-powered-by').use(securityHeaders(settings))
    app.use((_request, response) => void response.end())
    await using server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const ofNode = ['connection', 'content-length', 'date', 'keep-alive']
    const given = [...headers].filter(([name]) => !ofNode.includes(name))
    const listed = Object.entries(commonHeaders(settings)).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(given))
  },
)

test('what a page loads leaves out what browsers read of documents alone, and nothing else', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const page = await site.get('/')
  const [font] = /\/assets\/[\w.-]+\.woff2/.exec(page.text)!
  const addresses = [
    font,
    /\/assets\/[\w.-]+\.css/.exec(page.text)![0],
    /\/assets\/[\w.-]+\.js/.exec(page.text)![0],
    '/assets/lens-reflections?width=640&height=480&fit=cover&quality=80&format=webp',
  ]
  for (const address of addresses) {
    const { status, headers } = await site.get(address)
    expect([address, status]).toEqual([address, 200])
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-resource-policy': expect.any(String),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    })
    const whole = page.headers
    const left = Object.keys(whole).filter((name) => headers[name] === undefined)
    expect(left.filter((name) => /policy|^x-|origin/.test(name)).toSorted()).toEqual([
      'cross-origin-opener-policy',
      'origin-agent-cluster',
      'permissions-policy',
      'x-dns-prefetch-control',
      'x-download-options',
      'x-frame-options',
      'x-permitted-cross-domain-policies',
      'x-xss-protection',
    ])
  }
  // A file that isn't there is answered as anything else.
  expect((await site.get('/assets/none-Abc123.js')).headers).toHaveProperty('permissions-policy')
})
