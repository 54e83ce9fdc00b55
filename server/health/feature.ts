import { statfs } from 'node:fs/promises'
import { Router } from 'express'
import type { Feature, Platform } from '../feature.ts'
import { onlyMethods } from '../http/endpoints.ts'
import { withFallback } from '../timeout.ts'
import { version } from '../version.ts'

/** Free bytes below which the disk is low, and below which the database cannot grow any more. */
const diskLow = 200 * 1024 * 1024
const diskFull = 1024 * 1024

/** Milliseconds that a check waits while another process holds the database. */
const checkTimeout = 3_000

/**
 * GET /api/health: `{status, db, outbox, disk, content, version, jobs, …}` with the parts of features,
 * each `ok` or what is wrong in a word. 503 when the database cannot be used; `degraded` with 200 when
 * mail fails, space is low or content is old: then `contentSince` and `contentProblem` say since when
 * and why.
 */
export const healthFeature = (platform: Platform): Feature => ({
  name: 'health',
  routes: ({ mount }) => mount(healthRoute(platform)),
})

function healthRoute({
  commit,
  outbox,
  jobs,
  content,
  config,
  log,
  contributions,
}: Platform): Router {
  const router = Router()
  router.get('/api/health', async (_request, response) => {
    const free = await statfs(config.dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    const parts = {
      db:
        free !== null && free < diskFull
          ? 'full'
          : await withFallback(
              commit(() => 'ok'),
              checkTimeout,
              'busy',
            ).catch(() => 'failed'),
      outbox: checked(() => (outbox.counts().failed > 0 ? 'failing' : 'ok')),
      disk: free === null ? 'failed' : free < diskLow ? 'low' : 'ok',
      content: content.outage() === null ? 'ok' : 'stale',
      jobs: checked(() => {
        const { failing, late } = jobs.problemCounts()
        return failing > 0 ? 'failing' : late > 0 ? 'late' : 'ok'
      }),
      ...partsOf(contributions().health),
    }
    const outage = content.outage()
    const healthy = Object.values(parts).every((part) => part === 'ok')
    if (!healthy) log.warn(parts, 'health is degraded')
    response
      .status(parts.db === 'ok' ? 200 : 503)
      .setHeader('Cache-Control', 'no-store')
      .json({
        status: parts.db === 'ok' ? (healthy ? 'ok' : 'degraded') : 'failed',
        ...parts,
        ...(outage && {
          contentSince: new Date(outage.since).toISOString(),
          contentProblem: outage.why,
        }),
        version,
      })
  })
  router.all('/api/health', onlyMethods(['GET']))
  return router
}

/** What features say; one that throws must not take the answer with it. */
function partsOf(health: () => Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return health()
  } catch {
    return { features: 'failed' }
  }
}

function checked(check: () => string): string {
  try {
    return check()
  } catch {
    return 'failed'
  }
}
