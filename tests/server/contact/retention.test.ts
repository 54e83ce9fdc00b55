import { expect, test } from 'vitest'
import { enquiry } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

const day = 86_400_000

test('a message is kept for 24 months, and then forgotten with its mails', async () => {
  await using site = await startSite()
  await site.post('/api/save-contact-form', enquiry({ 'Ticket ID': 'old001' }))
  await eventually(() => expect(site.context.mails.counts().queued).toBe(0))
  site.clock.advance(700 * day)
  await site.post('/api/save-contact-form', enquiry({ 'Ticket ID': 'new001' }))
  const kept = () =>
    Array.from(site.context.features.contact.tickets.list({}), ({ ticketId }) => ticketId)
  expect(kept()).toEqual(['old001', 'new001'])
  site.clock.advance(40 * day)
  site.context.outbox.wake()
  await eventually(() => expect(kept()).toEqual(['new001']))
  // The job forgets them one after the other.
  await eventually(() => expect(site.context.mails.of('ticket', 'old001')).toEqual([]))
  expect(site.context.mails.of('ticket', 'new001')).toHaveLength(2)
})
