import { consentVersion } from '#shared/consent.ts'
import { countConsent } from '#shared/consent-count.ts'
import type { Context } from '../context.ts'
import type { Endpoints } from '../http/endpoints.ts'

/** Counts decisions about cookies: a sign that people are asked, and how they answer. */
export function consentRoutes(context: Context, endpoints: Endpoints): void {
  const { consents } = context
  endpoints.serve(
    countConsent,
    { limit: 'consent', access: 'public' },
    async ({ decision, policyVersion }) => {
      // A version of somebody's invention would fill the table.
      const known = policyVersion === consentVersion ? policyVersion : 'other'
      await context.commit((tx) => consents.add(tx, decision, known), { durable: false })
      return { success: true as const }
    },
  )
}
