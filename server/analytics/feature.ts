import { isbot } from 'isbot'
import { collect } from '#shared/collect.ts'
import type { Feature, Platform } from '../feature.ts'
import { createPageCounts } from './store.ts'

/**
 * Our own anonymous counting: how often a kind of page was seen or used in a day. There are as many
 * rows in a day as there are kinds and events, however much is sent.
 */
export function analyticsFeature({ db, clock, commit }: Platform): Feature {
  const counts = createPageCounts(db, { clock })
  return {
    name: 'analytics',
    routes({ endpoints }) {
      endpoints.serve(
        collect,
        { limit: 'collect', access: 'public' },
        async ({ page, event }, { userAgent }) => {
          if (userAgent && !isbot(userAgent.slice(0, 400))) {
            await commit((tx) => counts.add(tx, page, event), { durable: false })
          }
          return { success: true as const }
        },
      )
    },
    jobs: [
      {
        kind: 'analytics.forget',
        about: 'forgets counts of page views after five years',
        recurs: { daily: '08:00' },
        run: () => commit((tx) => counts.forgetOld(tx)),
      },
    ],
    personalData: [
      {
        name: 'page counts',
        policy: [
          {
            what: 'Counting page views',
            data: 'How often a kind of page was seen or used on a day; no address, no cookie, nothing that tells one visitor from another',
            ground: 'Our legitimate interest in knowing what is read (Art. 6(1)(f))',
            kept: 'Five years; the counts name nobody',
          },
        ],
        forgottenBy: { job: 'analytics.forget' },
        find: () => [],
        note: 'Page views are only counted; no address leads to them.',
      },
    ],
  }
}
