import * as z from 'zod/mini'
import { consentPath } from './consent.ts'
import { endpoint, json } from '../endpoint.ts'

/** How decisions are counted: a `save` that lets others measure, `save-analytics`, is told apart. */
export const countedDecisions = ['accept', 'reject', 'save', 'save-analytics'] as const

/** One of {@link countedDecisions}. */
export type CountedDecision = (typeof countedDecisions)[number]

/** Counts a decision about cookies, without anything that tells who decided. */
export const countConsent = endpoint({
  method: 'POST',
  path: consentPath,
  input: z.object({
    decision: z.enum(countedDecisions),
    policyVersion: z.string().check(z.regex(/^[\w.-]{1,20}$/)),
    at: z.string().check(
      z.maxLength(40),
      z.refine((text) => !Number.isNaN(Date.parse(text))),
    ),
  }),
  output: json<{ success: true }>(),
})
