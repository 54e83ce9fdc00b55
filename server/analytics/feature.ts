import { isbot } from 'isbot'
import { collect } from '#shared/collect.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Platform } from '../feature.ts'
import { createPageCounts, type PageCounts } from './store.ts'

/** Counts of pages, one for each that is opened. */
const limit = { name: 'collect', seconds: 60, most: 240 }

/** Our own anonymous counting (docs/contract.md, Analytics), and measuring by others. */
export type AnalyticsFeature = Feature & { readonly counts: PageCounts }

/**
 * Counts how often a kind of page was seen or used in a day. There are as many rows in a day as there
 * are kinds and events, however much is sent.
 */
export function analyticsFeature({ config, db, clock, commit }: Platform): AnalyticsFeature {
  const counts = createPageCounts(db, { clock })
  return {
    name: 'analytics',
    counts,
    routes({ endpoints }) {
      endpoints.serve(
        collect,
        { limit, access: 'public' },
        async ({ page, event }, { userAgent }) => {
          if (userAgent && !isbot(userAgent.slice(0, 400))) {
            await commit((tx) => counts.add(tx, page, event), { durable: false })
          }
          return { success: true as const }
        },
      )
    },
    origins: originsOf(config),
    jobs: [
      {
        kind: 'analytics.forget',
        about: 'deletes page-view counts older than five years',
        recurs: { daily: '03:30' },
        run: () => inBatches(commit, counts.forgetOld),
      },
    ],
    personalData: [
      {
        name: 'page counts',
        policy: [
          {
            what: 'Counting page views',
            data: 'Views and uses of each kind of page by day; no address, no cookie, nothing that identifies a visitor',
            ground: 'Our legitimate interest in knowing what people read (Art. 6(1)(f))',
            kept: 'Five years; the counts identify no one',
          },
        ],
        forgottenBy: { job: 'analytics.forget' },
        find: () => [],
        note: 'Page views are only counted; they can’t be linked to an email address.',
      },
    ],
  }
}

/** Where the measuring services of the configuration load from and send to. */
function originsOf({ analyticsId, stats }: Pick<Platform['config'], 'analyticsId' | 'stats'>) {
  const own = stats ? [new URL(stats.script).origin] : []
  if (!analyticsId) return { script: own, connect: own }
  const tags = 'https://www.googletagmanager.com'
  return {
    script: [tags, ...own],
    connect: [tags, 'https://*.google-analytics.com', 'https://*.analytics.google.com', ...own],
  }
}
