import { expect, test } from 'vitest'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
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
  await using smtp = await startSmtp({ timeout: 10_000 })
  await smtp.goDown()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await addReaders(site, 30)
  await send(site, issues[0]!)
  await settled(site)
  await smtp.comeBack()
  site.clock.advance(minute / 2)
  await site.context.outbox.stop()
  site.clock.advance(minute / 2)
  await saveEnquiry(site)
  site.context.outbox.start()
  await settled(site)
  const order = smtp.mails.map(({ envelopeTo }) => envelopeTo.join())
  expect(order).toHaveLength(32)
  // Two go at a time, so the other one of them may be a newsletter.
  expect(order.indexOf('aino@example.com')).toBeLessThan(4)
  expect(order.indexOf('staff@localhost')).toBeLessThan(4)
})

test('a mail server that takes few emails a minute gets no more newsletters meanwhile, and then goes on', async () => {
  await using smtp = await startSmtp({ timeout: 10_000 })
  smtp.mood = { sender: 451, left: 10, says: '4.7.1 Too many emails from you' }
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
