import {
  allPreferences,
  consentChanged,
  consentKeys,
  consentVersion,
  defaultPreferences,
  type ConsentDecision,
  type ConsentSource,
  type CookiePreferences,
} from '#shared/consent.ts'
import type { countConsent } from '#shared/consent-count.ts'
import { currentConsent } from './current.ts'

/**
 * Carries a decision out: stores exactly what spec section 4 says, tells the page, and counts it.
 * @param source the button
 * @param choice what the switches say; `moved` when the visitor touched the one for analytics
 */
export function decide(
  source: ConsentSource,
  choice: { preferences: CookiePreferences; moved: boolean },
): void {
  const before = currentConsent()
  const preferences =
    source === 'accept'
      ? allPreferences
      : source === 'reject'
        ? defaultPreferences
        : choice.preferences
  const grantedBefore = before.given && before.decision?.explicitAnalytics === true
  const decision: ConsentDecision = {
    source,
    explicitAnalytics:
      source === 'accept' ||
      (source === 'save' && preferences.analytics && (choice.moved || grantedBefore)),
    policyVersion: consentVersion,
    at: new Date().toISOString(),
  }
  try {
    localStorage.setItem(consentKeys.preferences, JSON.stringify(preferences))
    localStorage.setItem(consentKeys.decision, JSON.stringify(decision))
    localStorage.setItem(consentKeys.given, 'true')
  } catch {
    // Storage may be closed to us; the card then comes back on the next page load.
  }
  dispatchEvent(new Event(consentChanged))
  count(decision)
}

/** Tells the server that somebody decided; what becomes of it is of no interest here. */
function count({ source, explicitAnalytics, policyVersion, at }: ConsentDecision) {
  const path: (typeof countConsent)['path'] = '/api/consent'
  const decision = source === 'save' && explicitAnalytics ? 'save-analytics' : source
  fetch(path, {
    method: 'POST',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ decision, policyVersion, at }),
  }).catch(() => {})
}
