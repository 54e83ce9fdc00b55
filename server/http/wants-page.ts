import type { IncomingMessage } from 'node:http'

/** True for a person who follows a link or sends a form, not for a page that loads its parts. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'document') return false
  return /\btext\/html\b/.test(headers.accept ?? '')
}
