import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { commonHeaders, securityHeaders } from '#server/http/guards.ts'

test.each([true, false])(
  'what leaves ahead of the middleware has the headers that helmet gives behind it, https: %s',
  async (https) => {
    const app = express().disable('x-powered-by').use(securityHeaders({ https }))
    app.use((_request, response) => void response.end())
    await using server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const ofNode = ['connection', 'content-length', 'date', 'keep-alive']
    const given = [...headers].filter(([name]) => !ofNode.includes(name))
    const listed = Object.entries(commonHeaders({ https })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(given))
  },
)
