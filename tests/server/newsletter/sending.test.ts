import { expect, test } from 'vitest'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp } from '../../support/smtp.ts'

const minute = 60_000

const issues = [
  'booking-opens-for-2027',
  'forty-eight-hours-at-kymiring',
  'rallycross-lights-kouvola',
]

/** Puts so many readers on the list. */
const addReaders = (site: Site, count: number) =>
  site.context.commit((tx) => {
    for (let n = 0; n < count; n += 1) {
      const person = { email: `reader${n}@example.com`, name: '', status: 'subscribed' as const }
      site.context.features.newsletter.subscribers.import(tx, person, 'at the paddock')
    }
  })

const send = (site: Site, slug: string, perMinute = 1000) =>
  site.context.features.newsletter.acts.send(slug, perMinute, 'staff')

test('a confirmation goes out before the newsletters that have been waiting for longer', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url }, sending: false })
  await addReaders(site, 30)
  await send(site, issues[0]!)
  site.clock.advance(minute)
  await saveEnquiry(site)
  site.context.outbox.start()
  await settled(site)
  const order = smtp.mails.map(({ envelopeTo }) => envelopeTo.join())
  expect(order).toHaveLength(32)
  // Two go at a time, so the other one of them may be a newsletter.
  expect(order.indexOf('aino@example.com')).toBeLessThan(4)
  expect(order.indexOf('staff@localhost')).toBeLessThan(4)
})

test.each([
  [451, '4.7.1 Too many emails from you'],
  [421, '4.7.0 Try again later'],
])('a mail server that says %i to many gets no newsletters for a minute', async (sender, says) => {
  await using smtp = await startSmtp()
  smtp.mood = { sender, left: 10, says }
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 40)
  await send(site, issues[0]!)
  const { mails } = site.context
  const attempts = () => mails.list().reduce((sum, { attempts: made }) => sum + made, 0)
  await expect.poll(() => mails.heldUp().length).toBeGreaterThan(0)
  await expect.poll(() => mails.list('sending')).toEqual([])
  expect(smtp.mails).toHaveLength(10)
  // What is left is for others.
  smtp.mood = 'take'
  await saveEnquiry(site)
  await expect.poll(() => smtp.mails).toHaveLength(12)
  expect(
    smtp.mails
      .slice(10)
      .map(({ envelopeTo }) => envelopeTo.join())
      .toSorted(),
  ).toEqual(['aino@example.com', 'staff@localhost'])
  expect(attempts()).toBeLessThanOrEqual(14)
  site.clock.advance(minute)
  await settled(site)
  expect(smtp.mails).toHaveLength(42)
})

test('newsletters wait for a mail server that is away, and all go once it is back', async () => {
  await using smtp = await startSmtp()
  await smtp.goDown()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 30)
  await send(site, issues[0]!)
  const { mails } = site.context
  await expect.poll(() => mails.heldUp().length).toBeGreaterThan(0)
  await expect.poll(() => mails.list('sending')).toEqual([])
  expect(mails.heldUp().length).toBeLessThan(4)
  await smtp.comeBack()
  site.clock.advance(minute)
  await settled(site)
  expect(smtp.mails).toHaveLength(30)
})

test('an address whose mail server refuses two issues in a row leaves the list, and staff see why', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 3)
  const { subscribers } = site.context.features.newsletter
  const statusOf = () => subscribers.find('reader1@example.com')!.status
  const refused = { recipient: 550, only: 'reader1@example.com', says: '5.1.1 No such user' }
  for (const [slug, mood, status] of [
    [issues[0]!, refused, 'subscribed'],
    [issues[1]!, { ...refused, says: '5.7.1 Only members may write' }, 'subscribed'],
    [issues[2]!, refused, 'unsubscribed'],
  ] as const) {
    smtp.mood = mood
    site.clock.advance(minute)
    await send(site, slug)
    await settled(site)
    expect(statusOf()).toBe(status)
  }
  expect(subscribers.find('reader0@example.com')!.status).toBe('subscribed')
  expect(await runOn(site, 'newsletter', 'show', 'reader1@example.com')).toContain(
    '2 issues came back: 550 5.1.1 No such user',
  )
  expect(await runOn(site, 'history')).toContain('mail server')
  // Who did not get an issue is with the issue: nothing waits for a person, and nothing is broken.
  expect(await runOn(site, 'newsletter', 'issues', '--news', issues[2]!)).toContain(
    'reader1@example.com',
  )
  expect((await site.get('/api/health')).json).toMatchObject({ outbox: 'ok' })
})

test('a mail server that refuses everyone takes no one off the list', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 2)
  const { subscribers } = site.context.features.newsletter
  const listed = () => [...subscribers.list({ status: 'subscribed' })].map(({ email }) => email)
  const readers = listed()
  for (const [n, says] of ['Blocked', '5.4.4 Unable to route', '5.0.0 Rejected'].entries()) {
    smtp.mood = { recipient: 550, says }
    site.clock.advance(minute)
    await send(site, issues[n]!)
    await settled(site)
    expect(listed()).toEqual(readers)
  }
})

test('an address that is unknown in words alone leaves the list, too', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 1)
  smtp.mood = { recipient: 550, says: 'No such user here' }
  for (const slug of issues.slice(0, 2)) {
    site.clock.advance(minute)
    await send(site, slug)
    await settled(site)
  }
  const { subscribers } = site.context.features.newsletter
  expect(subscribers.find('reader0@example.com')!.status).toBe('unsubscribed')
})

test('an issue that arrived in between keeps an address on the list', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 1)
  for (const [n, slug] of issues.entries()) {
    smtp.mood = n === 1 ? 'take' : { recipient: 552, says: '5.2.2 Mailbox full' }
    site.clock.advance(minute)
    await send(site, slug)
    await settled(site)
  }
  const { subscribers } = site.context.features.newsletter
  expect(subscribers.find('reader0@example.com')!.status).toBe('subscribed')
})
