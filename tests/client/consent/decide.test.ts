import { expect, test, vi } from 'vitest'
import { consentVersion, readConsent } from '#shared/consent/consent.ts'
import { currentConsent, onConsent } from '../../../client/consent/current.ts'
import { chosen, decide } from '../../../client/consent/decide.ts'
import { fakeBrowser } from '../../support/fake-browser.ts'

const preferences = {
  necessary: true,
  functional: false,
  analytics: false,
  marketing: true,
} as const
const defaults = {
  necessary: true,
  functional: true,
  analytics: true,
  marketing: false,
} as const
const all = { ...defaults, marketing: true }

test('each button makes of the switches what it says', () => {
  expect(chosen('accept', { preferences, measurement: false })).toEqual({
    preferences: all,
    measurement: true,
  })
  expect(chosen('reject', { preferences, measurement: true })).toEqual({
    preferences: defaults,
    measurement: false,
  })
  expect(chosen('save', { preferences, measurement: true })).toEqual({
    preferences,
    measurement: true,
  })
})

test('a decision without the question about measurement stores none', () => {
  for (const source of ['accept', 'reject', 'save'] as const) {
    expect(chosen(source, { preferences, measurement: null }).measurement).toBeNull()
  }
})

const decision = { source: 'accept', policyVersion: consentVersion, at: '2026-11-23T12:00:00Z' }

test.each([
  ['all there', {}, true],
  ['no consent at all', { consentGiven: null }, false],
  ['no decision', { consentDecision: null }, false],
  ['a decision about another policy', { consentDecision: '{"policyVersion":"2026-11"}' }, false],
  ['a decision that cannot be read', { consentDecision: '{' }, false],
  ['another word', { thirdPartyMeasurement: 'yes' }, false],
  ['preferences of another shape', { cookiePreferences: '[]' }, false],
])('with %s, others may measure: %s', (_, changes, may) => {
  const items: Record<string, string | null> = {
    consentGiven: 'true',
    cookiePreferences: JSON.stringify(all),
    consentDecision: JSON.stringify(decision),
    thirdPartyMeasurement: 'true',
    ...changes,
  }
  expect(readConsent((key) => items[key] ?? null).measurement).toBe(may)
})

/** What is counted from here on. */
function counted() {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body))
    return new Response()
  })
  return bodies
}

test('a consent decision is stored, announced and counted, and replaced by the next one', () => {
  using browser = fakeBrowser()
  const bodies = counted()
  let told = 0
  onConsent(() => (told += 1))
  decide('accept', { preferences, measurement: false })
  expect(currentConsent()).toMatchObject({ given: true, preferences: all, measurement: true })
  decide('reject', { preferences, measurement: null })
  expect(currentConsent()).toMatchObject({ given: true, preferences: defaults, measurement: false })
  expect([told, browser.items.has('thirdPartyMeasurement')]).toEqual([2, false])
  expect(bodies).toEqual([
    { decision: 'accept', policyVersion: consentVersion, at: expect.any(String) },
    { decision: 'reject', policyVersion: consentVersion, at: expect.any(String) },
  ])
})

test('a decision without consent to measurement is not counted, and Save with it has its own kind', () => {
  using _browser = fakeBrowser()
  const bodies = counted()
  decide('save', { preferences, measurement: false })
  expect(bodies).toEqual([])
  decide('save', { preferences: defaults, measurement: true })
  expect(bodies).toMatchObject([{ decision: 'save-analytics' }])
})

test('without storage nothing is given, and nothing breaks', () => {
  using browser = fakeBrowser()
  browser.closeStorage()
  counted()
  decide('accept', { preferences, measurement: null })
  expect(currentConsent().given).toBe(false)
})
