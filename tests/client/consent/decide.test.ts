import { expect, test } from 'vitest'
import { consentVersion, readConsent } from '#shared/consent.ts'
import { chosen } from '../../../client/consent/decide.ts'

const preferences = {
  necessary: true,
  functional: false,
  analytics: false,
  marketing: true,
} as const
const defaults = { necessary: true, functional: true, analytics: true, marketing: false }
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

test('nobody agrees to a measurement that they were not asked about', () => {
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
