import { expect, test } from 'vitest'
import type { StaffTicketView } from '#shared/tickets.ts'
import { mailFiles } from '../../../support/mail-files.ts'
import { email, startInbound } from '../../../support/inbound.ts'
import { settled } from '../../../support/enquiry.ts'
import type { Site } from '../../../support/site.ts'
import { signIn } from '../../../support/staff.ts'

/** The ticket as staff see it. */
async function ticketOf(site: Site, ticketId = 'abc123') {
  const { headers } = await signIn(site, ['desk'], { name: `Noora ${Math.random()}` })
  const { json } = await site.get(`/api/desk/tickets/${ticketId}`, { headers })
  return json as unknown as StaffTicketView
}

test('an answer in the thread opens the ticket again, and staff hear of it', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const uid = imap.deliver(email({ 'In-Reply-To': reply }))
  await receive()
  console.log(imap.commands, site.context.jobs.find('contact.receive','')); expect(await ticketOf(site)).toMatchObject({
    status: 'open',
    messages: [
      { author: 'staff' },
      { author: 'visitor', name: 'Aino Virtanen', text: 'Yes, call me on Monday.' },
    ],
    history: [{}, { text: 'visitor: answered by email answered → open' }],
  })
  expect(imap.flagsOf(uid)).toEqual(['\\Seen'])
  await settled(site)
  expect(mailFiles(site.dataDir).at(-1)).toMatchObject({
    subject: 'Aino Virtanen added to a message [Ticket: abc123]',
    text: expect.stringContaining('Yes, call me on Monday.'),
  })
})
