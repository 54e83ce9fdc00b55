import { consentVersion } from '#shared/consent/consent.ts'
import { countConsent } from '#shared/consent/consent-count.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Http, Platform } from '../feature.ts'
import { createConsentCounts, type ConsentCounts } from './store.ts'

/** Decisions about cookies from one address in ten minutes. */
const limit = { name: 'consent', seconds: 600, max: 30 }

/** Decisions about cookies: how often each was made, by day. The counts name no one. */
export type ConsentFeature = Feature & { readonly counts: ConsentCounts }

export function consentFeature({ db, clock, commit }: Platform): ConsentFeature {
  const counts = createConsentCounts(db, { clock })
  return {
    name: 'consent',
    counts,
    routes: (http) => consentRoutes(http, { counts, commit }),
    jobs: [
      {
        kind: 'consent.forget',
        about: 'deletes cookie-decision counts older than five years',
        recurs: { daily: '03:30' },
        run: () => inBatches(commit, counts.forgetOld),
      },
    ],
    personalData: [
      {
        name: 'consent counts',
        policy: [
          {
            what: 'Proof of consent',
            data: 'How often each decision about cookies was made on a day, and for which version of the policy',
            ground: 'Our duty to show that consent is asked for (Art. 7(1))',
            kept: 'Five years; the counts identify no one',
          },
        ],
        forgottenBy: { job: 'consent.forget' },
        find: () => [],
        note: 'Decisions about cookies are only counted; they can’t be linked to an email address.',
      },
    ],
  }
}

/** Counts decisions: a sign that people are asked, and how they answer. */
function consentRoutes(
  { endpoints }: Http,
  { counts, commit }: { counts: ConsentCounts } & Pick<Platform, 'commit'>,
): void {
  endpoints.serve(
    countConsent,
    { limit, access: 'public' },
    async ({ decision, policyVersion }) => {
      // Invented versions would fill the table.
      const known = policyVersion === consentVersion ? policyVersion : 'other'
      await commit((tx) => counts.add(tx, decision, known), { durable: false })
      return { success: true as const }
    },
  )
}
