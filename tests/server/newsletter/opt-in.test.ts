import { expect, test } from 'vitest'
import { startSite, type Site } from '../../support/site.ts'
import { ask, confirmations, confirmLink, form, postForm, subscribe } from './subscription.ts'

const day = 86_400_000
const status = (site: Site, email = 'aino@example.com') =>
  site.context.features.newsletter.subscribers.find(email)?.status

test('asking, opening the link and pressing its button subscribes, with the proof kept', async () => {
  await using site = await startSite()
  const asked = await ask(site, {}, { headers: { Referer: `${site.url}/news?page=2` } })
  expect(asked.status).toBe(200)
  expect(asked.headers['cache-control']).toBe('no-store')
  expect(asked.headers['x-robots-tag']).toBe('noindex')
  expect(asked.text).toContain('One more step: confirm in your inbox')
  expect(status(site)).toBe('pending')

  const link = await confirmLink(site)
  const page = await site.get(link)
  expect(page.status).toBe(200)
  expect(page.text).toContain(`action="${link}#result"`)
  expect(status(site)).toBe('pending')

  const confirmed = await postForm(site, link)
  expect(confirmed.status).toBe(200)
  expect(confirmed.text).toContain('You’re subscribed')
  const subscriber = site.context.features.newsletter.subscribers.find('aino@example.com')!
  expect(subscriber.status).toBe('subscribed')
  expect(site.context.features.newsletter.subscribers.history(subscriber.id)).toMatchObject([
    { kind: 'asked', policy: '2026-11', source: '/news', network: expect.any(String) },
    { kind: 'confirmed', policy: '2026-11', at: site.clock() },
  ])
  expect((await postForm(site, link)).status).toBe(200)
})

test('the mail repeats nothing that was written, and carries no way to unsubscribe a stranger', async () => {
  await using site = await startSite()
  await ask(site, { name: 'Win money at spam.example' })
  const [mail] = await confirmations(site)
  expect(mail?.subject).toBe('Confirm your subscription to Apex North Media')
  expect(mail?.raw).not.toMatch(/spam|money/)
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.name).toBe(
    'Win money at spam.example',
  )
})

test.each([
  ['a list that is missing', { l: '' }],
  ['a list that nobody knows', { l: '6f0c0de4-0000-4000-8000-000000000000' }],
] as [string, Record<string, string>][])('%s is refused with a page', async (_, changes) => {
  await using site = await startSite({ sending: false })
  const fields = new URLSearchParams(form(changes))
  if (!changes.l) fields.delete('l')
  const reply = await postForm(site, '/subscription/form', fields.toString())
  expect(reply.status).toBe(400)
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.text).toContain('Unknown list')
  expect(status(site)).toBeUndefined()
})

test('NEWSLETTER_LIST names the list', async () => {
  await using site = await startSite({ sending: false, env: { NEWSLETTER_LIST: 'paddock' } })
  expect((await ask(site)).status).toBe(400)
  expect((await ask(site, { l: 'paddock' })).status).toBe(200)
})

test.each([
  '',
  'aino',
  'aino@example',
  'a b@example.com',
  'a@b@example.com',
  'x'.repeat(250) + '@example.com',
  'a@b.c,d@e.f',
])('the address %j is refused with the message of the form', async (email) => {
  await using site = await startSite({ sending: false })
  const reply = await ask(site, { email })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('Please enter a valid email address')
  expect([...site.context.features.newsletter.subscribers.list()]).toEqual([])
})

test('new, known, blocked, unwelcome and trapped addresses get the same answer to the letter', async () => {
  await using site = await startSite()
  await subscribe(site, 'known@example.com', { from: '127.0.0.2' })
  await site.context.commit((tx) =>
    site.context.features.newsletter.subscribers.import(
      tx,
      { email: 'blocked@example.com', name: '', status: 'blocked' },
      'test',
    ),
  )
  const replies = [
    await ask(site, { email: 'new@example.com' }),
    await ask(site, { email: 'new@example.com' }),
    await ask(site, { email: 'KNOWN@example.com' }),
    await ask(site, { email: 'blocked@example.com' }),
    await ask(site, { email: 'someone@mailinator.com' }),
    await ask(site, { email: 'robot@example.com', nonce: 'x' }),
  ]
  for (const reply of replies) {
    expect(reply.status).toBe(200)
    expect(reply.text).toBe(replies[0]!.text)
  }
  expect(await confirmations(site, 'new@example.com')).toHaveLength(1)
  for (const email of ['known@example.com', 'blocked@example.com']) {
    expect(await confirmations(site, email)).toHaveLength(email.startsWith('known') ? 1 : 0)
  }
  expect(status(site, 'robot@example.com')).toBeUndefined()
})

test('a link older than seven days says so, and sends another', async () => {
  await using site = await startSite()
  await ask(site)
  const link = await confirmLink(site)
  site.clock.advance(7 * day)
  for (const reply of [await site.get(link), await postForm(site, link)]) {
    expect(reply.status).toBe(410)
    expect(reply.text).toContain('This link has expired')
  }
  expect(status(site)).toBe('pending')
  await postForm(site, link.replace('confirm', 'again'))
  expect(await confirmations(site)).toHaveLength(2)
  expect((await postForm(site, await confirmLink(site))).text).toContain('You’re subscribed')
})

test('a link that was tampered with, or belongs to a time before leaving, does nothing', async () => {
  await using site = await startSite()
  await ask(site)
  const link = await confirmLink(site)
  for (const wrong of [
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    '/subscription/confirm/x',
  ]) {
    expect((await site.get(wrong)).status).toBe(404)
    expect((await postForm(site, wrong)).status).toBe(404)
  }
  await postForm(site, link)
  await site.context.commit((tx) =>
    site.context.features.newsletter.subscribers.leave(
      tx,
      site.context.features.newsletter.subscribers.find('aino@example.com')!,
    ),
  )
  expect((await postForm(site, link)).status).toBe(404)
  expect(status(site)).toBe('unsubscribed')
})

test('an unsubscriber comes back only by a new confirmation', async () => {
  await using site = await startSite()
  const { leaveToken } = await subscribe(site)
  await postForm(site, `/subscription/leave/${leaveToken}`)
  site.clock.advance(day)
  await ask(site)
  expect(status(site)).toBe('unsubscribed')
  await postForm(site, await confirmLink(site))
  expect(status(site)).toBe('subscribed')
})

test('networks are forgotten after 30 days, and addresses that never confirmed as well', async () => {
  await using site = await startSite()
  const { id } = await subscribe(site)
  await ask(site, { email: 'never@example.com' })
  site.clock.advance(31 * day)
  await site.context.jobs.runDue()
  expect(status(site, 'never@example.com')).toBeUndefined()
  expect(
    site.context.features.newsletter.subscribers.history(id).map(({ network }) => network),
  ).toEqual([null, null])
  expect(status(site)).toBe('subscribed')
})

test('who asks again after weeks has a week to confirm, and is forgotten 30 days after that', async () => {
  // No job of the site's own is on its way as the clock is moved.
  await using site = await startSite({ sending: false })
  site.context.outbox.start()
  const late = 'late@example.com'
  await ask(site, { email: late })
  await ask(site, { email: 'never@example.com' })
  site.clock.advance(29 * day)
  await ask(site, { email: late })
  const link = await confirmLink(site, late)
  site.clock.advance(2 * day)
  await site.context.jobs.runDue()
  expect(status(site, 'never@example.com')).toBeUndefined()
  expect((await site.get(link)).text).toContain('Confirm')
  expect(status(site, late)).toBe('pending')
  site.clock.advance(29 * day)
  await site.context.jobs.runDue()
  expect(status(site, late)).toBeUndefined()
})

test('a form on a foreign page, and one of more than 16 kB, are refused', async () => {
  await using site = await startSite({ sending: false })
  expect((await ask(site, {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403)
  const large = await ask(site, { name: 'a'.repeat(20_000) })
  expect(large.status).toBe(413)
  expect(large.text).toContain('That didn’t work')
  expect(status(site)).toBeUndefined()
})
