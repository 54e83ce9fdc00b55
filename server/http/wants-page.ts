import type { Request } from 'express'

/** True for a person who follows a link or sends a form, not for a page that loads its parts. */
export function wantsPage(request: Request): boolean {
  const destination = request.get('sec-fetch-dest')
  if (destination !== undefined && destination !== 'document') return false
  return /\btext\/html\b/.test(request.get('accept') ?? '')
}
