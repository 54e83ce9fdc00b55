import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/**
 * The yardstick: bare node:http that sends finished bytes. `BODY` is a file, `HEADERS` a JSON
 * object; a request with If-None-Match gets a 304, as ours does.
 */
const body = readFileSync(process.env.BODY!)
const headers = JSON.parse(process.env.HEADERS ?? '{}') as Record<string, string>
const full = { ...headers, 'Content-Length': String(body.length) }

createServer((request, response) => {
  if (request.headers['if-none-match']) {
    response.writeHead(304, headers).end()
  } else {
    response.writeHead(200, full).end(body)
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
