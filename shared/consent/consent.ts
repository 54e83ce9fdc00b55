/** A category of the consent panel (docs/contract.md, Consent). */
export type ConsentCategory = 'necessary' | 'functional' | 'analytics' | 'marketing'

/** What is stored under `cookiePreferences`, exactly so. */
export type CookiePreferences = Record<ConsentCategory, boolean> & { necessary: true }

/** Before a decision, and after 'Reject' (docs/contract.md, Consent). */
export const defaultPreferences: CookiePreferences = {
  necessary: true,
  functional: true,
  analytics: true,
  marketing: false,
}

/** Which button decided. */
export type ConsentSource = 'accept' | 'reject' | 'save'

/** What is stored under `consentDecision`: by which button, and what the visitor was told then. */
export type ConsentDecision = {
  source: ConsentSource
  policyVersion: string
  /** ISO timestamp. */
  at: string
}

/**
 * The version of what visitors are told (consent-texts.ts). A change of its meaning needs a new
 * one, which asks all visitors once more.
 */
export const consentVersion = '2026-11.3'

/** Where the browser tells of a decision. */
export const consentPath = '/api/consent'

/** The keys of consent in local storage. */
export const consentKeys = {
  preferences: 'cookiePreferences',
  given: 'consentGiven',
  decision: 'consentDecision',
  /** `true` while the measuring services of others may load. */
  measurement: 'thirdPartyMeasurement',
} as const

/** What a visitor has decided so far. */
export type ConsentState = {
  /** False while the card has to be shown. */
  given: boolean
  /** `analytics` is our own anonymous counting. */
  preferences: CookiePreferences
  /** Whether the visitor lets the measuring services of others load. */
  measurement: boolean
  decision: ConsentDecision | null
}

/**
 * Reads consent from what is stored. Values that aren't JSON of the right shape count as not
 * given; so does a decision about an older policy.
 * @param item reads a key of local storage
 */
export function readConsent(item: (key: string) => string | null): ConsentState {
  const nothing: ConsentState = {
    given: false,
    preferences: defaultPreferences,
    measurement: false,
    decision: null,
  }
  if (item(consentKeys.given) !== 'true') return nothing
  const stored = item(consentKeys.preferences)
  const preferences = stored === null ? defaultPreferences : preferencesIn(parsed(stored))
  if (preferences === null) return nothing
  const written = item(consentKeys.decision)
  if (written === null) return { ...nothing, given: true, preferences }
  const decision = decisionIn(parsed(written))
  const given = decision?.policyVersion === consentVersion
  // Only under the policy of today: what was granted under another one is asked for again.
  const measurement = given && item(consentKeys.measurement) === 'true'
  return { given, preferences, measurement, decision }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return value instanceof Object ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function preferencesIn(value: Record<string, unknown> | null): CookiePreferences | null {
  if (!value) return null
  const { functional, analytics, marketing } = value
  const flags = [functional, analytics, marketing]
  if (!flags.every((flag) => typeof flag === 'boolean')) return null
  return { necessary: true, functional, analytics, marketing } as CookiePreferences
}

function decisionIn(value: Record<string, unknown> | null): ConsentDecision | null {
  if (!value) return null
  const { source, policyVersion, at } = value
  return typeof policyVersion === 'string'
    ? ({ source, policyVersion, at } as ConsentDecision)
    : null
}
