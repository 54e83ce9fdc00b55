import { createServer } from 'node:http'

/** The yardstick of short links: bare node:http that answers everything below / with a 302. */
createServer((request, response) => {
  if (request.url === '/') response.end()
  else response.writeHead(302, { Location: 'http://127.0.0.1:9/race', 'Content-Length': 0 }).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
