import type { ServerResponse } from 'node:http'
import { pagePolicy } from './guards.ts'
import { plainPage, plainScript, plainStyle, type PlainPage } from './plain-page.ts'

/** Sends a plain page that nobody keeps or indexes. */
export function sendPlain(
  response: ServerResponse,
  { status, page, brand }: { status: number; page: PlainPage; brand: string | null },
): void {
  const bytes = Buffer.from(plainPage(page, brand))
  response.statusCode = status
  response
    .setHeader('Content-Security-Policy', pagePolicy([plainScript], { style: [plainStyle] }))
    .setHeader('Cache-Control', 'no-store')
    .setHeader('X-Robots-Tag', 'noindex')
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .setHeader('Content-Length', bytes.length)
    .end(bytes)
}
