import type { Feature, Platform } from '../feature.ts'
import type { ConsentCounts } from './store.ts'

/** Decisions about cookies: how often each was made, by day. The counts name nobody. */
export const consentFeature = ({ commit }: Platform, consents: ConsentCounts): Feature => ({
  name: 'consent',
  jobs: [
    {
      kind: 'consent.forget',
      about: 'forgets counts of decisions about cookies after five years',
      recurs: { daily: '08:00' },
      run: () => commit((tx) => consents.forgetOld(tx)),
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
          kept: 'Five years; the counts name nobody',
        },
      ],
      forgottenBy: { job: 'consent.forget' },
      find: () => [],
      note: 'Decisions about cookies are only counted; no address leads to them.',
    },
  ],
})
