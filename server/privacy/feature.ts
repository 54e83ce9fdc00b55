import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { getRetention } from '#shared/legal/privacy.ts'
import type { Feature, Platform } from '../feature.ts'
import { createPrivacyActs, type PrivacyActs } from './acts.ts'

/** What people may ask for about their data. */
export type PrivacyFeature = Feature & { readonly acts: PrivacyActs }

/** Serves the privacy policy's table, clears the database's log, and covers the timeline's personal data. */
export function privacyFeature(platform: Platform): PrivacyFeature {
  const { db, timeline, contributions } = platform
  return {
    acts: createPrivacyActs(platform),
    name: 'privacy',
    routes({ endpoints }) {
      endpoints.serve(getRetention, { limit: 'read', access: 'public' }, () => ({
        rows: contributions().personalData.flatMap(({ policy }) => policy),
      }))
    },
    jobs: [
      {
        kind: 'privacy.empty-log',
        about: 'removes erased and expired data from the database’s write-ahead log',
        recurs: { daily: '04:30' },
        async run() {
          if (!(await db.emptyLog()))
            throw new Error('The log is still in use, for example by a backup.')
        },
      },
    ],
    personalData: [
      {
        name: 'timeline',
        policy: [
          {
            what: 'Case history',
            data: 'Who on our staff handled your message, booking or order, what they did, and when',
            ground: 'The same as for that message, booking or order',
            kept: 'As long as that message, booking or order',
          },
        ],
        forgottenBy: {
          by: 'the record it belongs to: it is deleted with the ticket, booking or order',
        },
        find: (email) =>
          timeline.mentioning(email).map(({ at, ...entry }) => ({ at: helsinkiIso(at), ...entry })),
        erase: (tx, email) => ({ erased: timeline.redact(tx, email) }),
      },
    ],
  }
}
