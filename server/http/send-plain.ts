import type { Response } from 'express'
import { pagePolicy } from './guards.ts'
import { plainPage, plainStyle, type PlainPage } from './plain-page.ts'

/** Sends a plain page that nobody keeps or indexes. */
export function sendPlain(
  response: Response,
  { status, page, brand }: { status: number; page: PlainPage; brand: string | null },
): void {
  response
    .status(status)
    .setHeader('Content-Security-Policy', pagePolicy([], { style: [plainStyle] }))
    .setHeader('Cache-Control', 'no-store')
    .setHeader('X-Robots-Tag', 'noindex')
    .type('html')
    .send(plainPage(page, brand))
}
