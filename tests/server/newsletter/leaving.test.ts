import { expect, test } from 'vitest'
import { startSite } from '../../support/site.ts'
import { postForm, subscribe } from './subscription.ts'

const year = 365 * 86_400_000

test('opening the link asks, its button unsubscribes, and again is harmless', async () => {
  await using site = await startSite()
  const { leaveToken } = await subscribe(site)
  const path = `/subscription/leave/${leaveToken}`
  site.clock.advance(3 * year)
  const page = await site.get(path)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Unsubscribe</button>')
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
    'subscribed',
  )
  for (let time = 0; time < 2; time += 1) {
    const reply = await postForm(site, path)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('You’ve been unsubscribed')
  }
  expect((await site.get(path)).text).toContain('You’ve been unsubscribed')
  const { id, status } = site.context.features.newsletter.subscribers.find('aino@example.com')!
  expect(status).toBe('unsubscribed')
  expect(site.context.features.newsletter.subscribers.history(id).map(({ kind }) => kind)).toEqual([
    'asked',
    'confirmed',
    'left',
  ])
})

test.each([
  ['a mail provider, without an origin', { Origin: '', 'Sec-Fetch-Site': '' }],
  ['a webmail page', { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['a sandboxed page', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
])('one click from %s unsubscribes without cookies', async (_, headers) => {
  await using site = await startSite()
  const { leaveToken } = await subscribe(site)
  const reply = await postForm(
    site,
    `/subscription/leave/${leaveToken}`,
    { 'List-Unsubscribe': 'One-Click' },
    { headers },
  )
  expect(reply.status).toBe(200)
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
    'unsubscribed',
  )
})

test('an unsubscribe link of no subscriber shows its own page', async () => {
  await using site = await startSite()
  for (const reply of [
    await site.get('/subscription/leave/nobody'),
    await postForm(site, '/subscription/leave/nobody'),
  ]) {
    expect(reply.status).toBe(404)
    expect(reply.text).toContain('No address on our list has this link')
  }
})
