import type { Request } from 'express'

/** Whether If-None-Match names this version (compared weakly, RFC 9110 13.1.2). */
export function isKnown(request: Request, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  const wanted = request.get('if-none-match')
  return (
    wanted !== undefined &&
    wanted.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
  )
}
