import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

/** The yardstick of rendering: nothing but renderToPipeableStream of the home page's own tree. */
const { prepare } = (await import(pathToFileURL(process.env.ENTRY!).href)) as {
  prepare(url: string): Promise<() => { pipe(destination: NodeJS.WritableStream): void }>
}
const render = await prepare(process.env.DATA_URL!)
createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html')
  render().pipe(response)
}).listen(Number(process.env.PORT), '127.0.0.1')
