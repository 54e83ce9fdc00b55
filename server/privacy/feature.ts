import { helsinkiIso } from '#shared/helsinki-time.ts'
import { getRetention } from '#shared/privacy.ts'
import type { Feature, Platform } from '../feature.ts'

/** What the site keeps of people, as the privacy policy shows it; and what belongs to no other feature. */
export function privacyFeature({ timeline, contributions }: Platform): Feature {
  return {
    name: 'privacy',
    routes({ endpoints }) {
      endpoints.serve(getRetention, { limit: 'read', access: 'public' }, () => ({
        rows: contributions().personalData.flatMap(({ policy }) => policy),
      }))
    },
    personalData: [
      {
        name: 'timeline',
        policy: [
          {
            what: 'What became of your matter',
            data: 'Which of us did what to a message or another matter of yours, and when',
            ground: 'The same as for the matter',
            kept: 'As long as the matter itself',
          },
        ],
        forgottenBy: { by: 'what it is about: it goes with the ticket or the other thing' },
        find: (email) =>
          timeline.mentioning(email).map(({ at, ...entry }) => ({ at: helsinkiIso(at), ...entry })),
        erase: (tx, email) => ({ erased: timeline.redact(tx, email) }),
      },
    ],
  }
}
