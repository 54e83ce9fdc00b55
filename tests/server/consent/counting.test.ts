import { expect, test } from 'vitest'
import { createConsentCounts } from '#server/consent/store.ts'
import { consentVersion } from '#shared/consent/consent.ts'
import { startSite } from '../../support/site.ts'

const body = (changes: Record<string, unknown> = {}) => ({
  decision: 'accept',
  policyVersion: consentVersion,
  at: '2026-11-20T12:00:00.000Z',
  ...changes,
})

test('consent decisions are counted by day and version alone', async () => {
  await using site = await startSite({ sending: false })
  const post = (changes = {}) =>
    site.post('/api/consent', body(changes), { headers: { Cookie: '', 'X-CSRF-TOKEN': '' } })
  const reply = await post()
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({ success: true })
  expect(reply.headers['set-cookie']).toBeUndefined()
  await post()
  await post({ decision: 'reject' })
  await post({ policyVersion: '1999-01' })
  const day = '2026-11-20'
  expect(createConsentCounts(site.context.db, site.context).list()).toEqual([
    { day, decision: 'accept', policyVersion: consentVersion, count: 2 },
    { day, decision: 'accept', policyVersion: 'other', count: 1 },
    { day, decision: 'reject', policyVersion: consentVersion, count: 1 },
  ])
})

test.each([
  ['an unknown decision', { decision: 'maybe' }],
  ['no time', { at: 'soon' }],
  ['a strange version', { policyVersion: '<script>' }],
])('%s is refused', async (_, changes) => {
  await using site = await startSite({ sending: false })
  expect((await site.post('/api/consent', body(changes))).status).toBe(400)
})
