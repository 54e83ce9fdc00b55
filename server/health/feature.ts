import { statfs } from 'node:fs/promises'
import type { Router } from 'express'
import { hourMs } from '#shared/dates/durations.ts'
import type { Feature, Platform } from '../feature.ts'
import { allowMethods } from '../http/methods.ts'
import { stuckAfter } from '../mail/outbox.ts'
import { siteAct } from '../timeline/timeline.ts'
import { version } from '../version.ts'
import { createWriteProof } from './write-proof.ts'

/** Free bytes below which the disk is low, and below which the database cannot grow any more. */
const diskLow = 200 * 1024 * 1024
const diskFull = 1024 * 1024

/** Milliseconds after which the log says again that the site isn't well, though nothing changed. */
const logAgainAfter = hourMs

/** What tells how the site is, and what staff do about its clock. */
export type HealthFeature = Feature & {
  /** Trusts the clock as it is. @param by who says so, for the timeline */
  acceptClock(by: string): Promise<void>
}

/**
 * GET /api/health: `{status, db, outbox, disk, content, version, jobs, …}` with the parts of features,
 * each `ok` or what is wrong in a word. 503 when the database cannot be used; `degraded` with 200 when
 * email fails, space is low or content is old or lacks something: then `contentSince` and
 * `contentProblem` say since when and why. `clock` is `ahead` or `behind` while it is in doubt, and
 * `warnings` are sentences about how the server is set up.
 */
export const healthFeature = (platform: Platform): HealthFeature => ({
  name: 'health',
  acceptClock: (by) =>
    platform.siteClock.accept((tx) =>
      platform.timeline.record(tx, siteAct('clock', { actor: by, act: 'accepted' })),
    ),
  async routes({ mount }) {
    const { Router } = await import('express')
    mount(healthRoute(platform, Router({ caseSensitive: true })))
  },
  digest: () => [
    {
      count: platform.siteClock.doubt() ? 1 : 0,
      what: 'clock not trusted, so nothing is deleted or expired by date',
      command: 'pitlane doctor --accept-clock',
    },
  ],
})

function healthRoute(
  { db, outbox, jobs, content, config, log, contributions, siteClock, warnings }: Platform,
  router: Router,
): Router {
  const proveWritable = createWriteProof(db.proveWritable)
  const logChange = createChangeLog(log)
  router.get('/api/health', async (_request, response) => {
    const free = await statfs(config.dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    const [outage, lack] = [content.outage(), content.lack()]
    const trouble = outage ?? lack
    const parts = {
      db: free !== null && free < diskFull ? 'full' : await proveWritable(),
      outbox: checked(() =>
        outbox.counts().failed > 0 ? 'failing' : outbox.stuckFor() > stuckAfter ? 'late' : 'ok',
      ),
      disk: free === null ? 'failed' : free < diskLow ? 'low' : 'ok',
      content: outage ? 'stale' : lack ? 'incomplete' : 'ok',
      jobs: checked(() => {
        const { failing, late } = jobs.problemCounts()
        return failing > 0 ? 'failing' : late > 0 ? 'late' : 'ok'
      }),
      clock: checked(() => siteClock.doubt()?.direction ?? 'ok'),
      ...partsOf(contributions().health),
    }
    const doubt = siteClock.doubt()
    const healthy = Object.values(parts).every((part) => part === 'ok')
    logChange(parts)
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
        warnings: [...(doubt ? [doubt.text] : []), ...warnings.list()],
        version,
      })
  })
  router.all('/api/health', allowMethods(['GET']))
  return router
}

/** Logs what is wrong when that changes, and every hour: anyone may ask as often as they like. */
function createChangeLog(log: Platform['log']) {
  let logged = ''
  let loggedAt = -Infinity
  return (parts: Readonly<Record<string, string>>) => {
    const healthy = Object.values(parts).every((part) => part === 'ok')
    const state = healthy ? '' : JSON.stringify(parts)
    const now = performance.now()
    if (state === logged && (healthy || now - loggedAt < logAgainAfter)) return
    logged = state
    loggedAt = now
    if (parts.db !== 'ok') log.error(parts, 'health has failed')
    else if (!healthy) log.warn(parts, 'health is degraded')
    else log.info(parts, 'health is ok again')
  }
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
