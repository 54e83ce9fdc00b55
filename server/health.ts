import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Router } from 'express'
import type { Context } from './context.ts'

/** Free bytes below which the disk is low, and below which the database cannot grow any more. */
const diskLow = 200 * 1024 * 1024
const diskFull = 1024 * 1024

/** Milliseconds that a check waits while another process holds the database. */
const patience = 3_000

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string }

/**
 * GET /api/health: `{status, db, outbox, disk, content, version}`, each part `ok` or what is wrong in
 * a word. 503 when the database cannot be used; `degraded` with 200 when mail fails, space is low or
 * content is old: then `contentSince` and `contentProblem` say since when and why.
 */
export function healthRoutes({ commit, outbox, content, config, log }: Context): Router {
  const router = Router()
  router.get('/api/health', async (_request, response) => {
    const free = await statfs(config.dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    const held = delay(patience, 'busy', { ref: false })
    const parts = {
      db:
        free !== null && free < diskFull
          ? 'full'
          : await Promise.race([commit(() => 'ok'), held]).catch(() => 'failed'),
      outbox: checked(() => (outbox.counts().failed > 0 ? 'failing' : 'ok')),
      disk: free === null ? 'failed' : free < diskLow ? 'low' : 'ok',
      content: content.trouble() === null ? 'ok' : 'stale',
    }
    const trouble = content.trouble()
    const healthy = Object.values(parts).every((part) => part === 'ok')
    if (!healthy) log.warn(parts, 'health is degraded')
    response
      .status(parts.db === 'ok' ? 200 : 503)
      .setHeader('Cache-Control', 'no-store')
      .json({
        status: parts.db === 'ok' ? (healthy ? 'ok' : 'degraded') : 'failed',
        ...parts,
        ...(trouble && {
          contentSince: new Date(trouble.since).toISOString(),
          contentProblem: trouble.why,
        }),
        version,
      })
  })
  return router
}

function checked(check: () => string): string {
  try {
    return check()
  } catch {
    return 'failed'
  }
}
