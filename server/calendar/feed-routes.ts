import { hash } from 'node:crypto'
import { Router, type RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'
import { feedCacheControl } from './feed.ts'

/** Calendars of series and events that are kept as text, at most. */
const maxKept = 100

/**
 * `/calendar/{series}.ics` and the file of one event, kept as text until content changes; and what
 * `/calendar.ics` answers while it can't be made.
 */
export function calendarFiles(
  { siteVersion }: Pick<Platform, 'siteVersion'>,
  {
    ofSeries,
    ofEvent,
  }: {
    ofSeries: (slug: string) => Promise<string | null>
    ofEvent: (id: string) => Promise<string | null>
  },
): Router {
  const kept = new Map<string, { version: number; text: string; etag: string }>()
  const router = Router({ caseSensitive: true, strict: true })

  const serve =
    (write: (name: string) => Promise<string | null>): RequestHandler =>
    async (request, response) => {
      const { path } = request
      const version = siteVersion.version()
      let found = kept.get(path)
      if (found?.version !== version) {
        const text = await write(String(request.params.name))
        if (text === null) throw failure('missing')
        found = { version, text, etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` }
        const [oldest] = kept.keys()
        if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
        kept.set(path, found)
      }
      response
        .setHeader('Content-Type', 'text/calendar; charset=utf-8')
        .setHeader('Cache-Control', feedCacheControl)
        .setHeader('ETag', found.etag)
        .setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      const isSame = request.get('if-none-match')?.includes(found.etag)
      if (isSame) response.status(304).end()
      else response.send(found.text)
    }

  // The whole season is a kept file; a request comes here while it has never been made. A 404 would
  // tell a calendar program that its subscription has ended.
  router.get(paths.calendarFeed(), () => {
    throw failure('unavailable', { retryAfter: 30 })
  })
  router.get(paths.calendarFeed(':name'), serve(ofSeries))
  router.get(paths.calendarEventFile(':name'), serve(ofEvent))
  return router
}
