import type { ServerResponse } from 'node:http'
import { pagePolicy } from './guards.ts'
import {
  plainPage,
  plainScript,
  plainStyle,
  type FooterLink,
  type PlainPage,
} from './plain-page.ts'

/** Sends a plain page that is neither cached nor indexed. */
export type SendPlain = (
  response: ServerResponse,
  reply: { status: number; page: PlainPage; brand: string | null },
) => void

/** Makes what sends plain pages. @param footer at the foot of each */
export const createSendPlain =
  (footer: readonly FooterLink[]): SendPlain =>
  (response, { status, page, brand }) => {
    const bytes = Buffer.from(plainPage(page, { brand, footer }))
    response.statusCode = status
    response
      .setHeader('Content-Security-Policy', pagePolicy([plainScript], { style: [plainStyle] }))
      .setHeader('Cache-Control', 'no-store')
      .setHeader('X-Robots-Tag', 'noindex')
      .setHeader('Content-Type', 'text/html; charset=utf-8')
      .setHeader('Content-Length', bytes.length)
      .end(bytes)
  }
