import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { commonHeaders, securityHeaders } from '#server/http/security-headers.ts'

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
