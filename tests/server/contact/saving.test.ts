import { expect, test } from 'vitest'
import { enquiry, saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite } from '../../support/site.ts'

test('a message is kept with its two mails', async () => {
  await using site = await startSite()
  const reply = await saveEnquiry(site)
  expect(reply.status).toBe(201)
  expect(reply.json).toEqual({ success: true, ticketId: 'abc123', status: 'saved' })
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(site.context.tickets.find('abc123')).toEqual({
    ticketId: 'abc123',
    status: 'new',
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    subject: 'Race weekend in Imatra',
    message: 'We need two photographers from Friday to Sunday.',
    date: '2026-11-20T12:00:00.000Z',
    receivedAt: Date.parse('2026-11-20T12:00:00.000Z'),
    dueAt: Date.parse('2026-11-23T15:00:00.000Z'),
    proven: true,
  })
  await settled(site)
  expect(mailFiles(site.dataDir).map(({ to, subject }) => [to, subject])).toEqual([
    ['aino@example.com', 'Thank you for your enquiry'],
    ['staff@localhost', 'New message from website from Aino Virtanen [Ticket: abc123]'],
  ])
})
