import {
  consentKeys,
  consentPath,
  consentVersion,
  defaultPreferences,
  type ConsentDecision,
  type ConsentSource,
  type CookiePreferences,
} from '#shared/consent/consent.ts'
import { storeValues } from '../site/stored-value.ts'

/**
 * What the switches say; `measurement` is null where the configuration names no service of others,
 * since no one can agree to what they were not asked.
 */
export type Choice = { preferences: CookiePreferences; measurement: boolean | null }

/** After 'Accept all'. */
const allPreferences: CookiePreferences = {
  necessary: true,
  functional: true,
  analytics: true,
  marketing: true,
}

/** What a button makes of the switches. */
export function chosen(source: ConsentSource, choice: Choice): Choice {
  const measurement = choice.measurement === null ? null : source === 'accept'
  if (source === 'accept') return { preferences: allPreferences, measurement }
  if (source === 'reject') return { preferences: defaultPreferences, measurement }
  return choice
}

/** Carries a decision out: stores it, tells the page, and counts it. */
export function decide(source: ConsentSource, choice: Choice): void {
  const { preferences, measurement } = chosen(source, choice)
  const decision: ConsentDecision = {
    source,
    policyVersion: consentVersion,
    at: new Date().toISOString(),
  }
  // Where storage is closed to us the card comes back on the next page load.
  storeValues({
    [consentKeys.preferences]: JSON.stringify(preferences),
    [consentKeys.decision]: JSON.stringify(decision),
    [consentKeys.measurement]: measurement === null ? null : String(measurement),
    [consentKeys.given]: 'true',
  })
  if (preferences.analytics) count(decision, measurement === true)
}

/** Tells the server that someone decided; what becomes of it is of no interest here. */
function count({ source, policyVersion, at }: ConsentDecision, measurement: boolean) {
  const decision = source === 'save' && measurement ? 'save-analytics' : source
  fetch(consentPath, {
    method: 'POST',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ decision, policyVersion, at }),
  })
    // A reply that isn't read keeps its connection.
    .then((response) => response.text())
    .catch(() => {})
}
