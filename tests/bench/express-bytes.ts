import { readFileSync } from 'node:fs'
import express from 'express'

/** The yardstick of cached pages: Express that sends the same finished bytes, with a 304 as ours. */
const body = readFileSync(process.env.BODY!)
const headers = JSON.parse(process.env.HEADERS ?? '{}') as Record<string, string>

express()
  .disable('x-powered-by')
  .get('/', (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (request.headers['if-none-match']) {
      response.statusCode = 304
      response.end()
      return
    }
    response.setHeader('Content-Length', body.length)
    response.end(body)
  })
  .listen(Number(process.env.PORT), '127.0.0.1')
