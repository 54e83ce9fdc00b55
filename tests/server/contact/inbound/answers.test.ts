import { expect, test } from 'vitest'
import type { StaffTicketView } from '#shared/contact/tickets.ts'
import { book } from '../../../support/bookings.ts'
import { saveEnquiry, settled } from '../../../support/enquiry.ts'
import { email, replyText, startInbound } from '../../../support/inbound.ts'
import { mailFiles } from '../../../support/mail-files.ts'
import type { Site } from '../../../support/site.ts'
import { signIn } from '../../../support/staff.ts'

let visits = 0

/** Looks at the desk as someone of staff. */
async function atDesk(site: Site, path: string) {
  visits += 1
  const { headers } = await signIn(site, ['desk'], { name: `Staff ${visits}` })
  const { json } = await site.get(`/api/desk/${path}`, { headers })
  return json
}

const ticketOf = async (site: Site, ticketId = 'abc123') =>
  (await atDesk(site, `tickets/${ticketId}`)) as unknown as StaffTicketView

/** What visitors have added to a ticket. */
const addedTo = async (site: Site, ticketId?: string) =>
  (await ticketOf(site, ticketId)).messages
    .filter(({ author }) => author === 'visitor')
    .map(({ text }) => text)

/** The emails that wait for staff on the desk's first page. */
async function waitingAt(site: Site) {
  const { groups } = (await atDesk(site, 'today')) as unknown as {
    groups: { title: string; lines: { title: string; detail: string; href: string | null }[] }[]
  }
  return groups.find(({ title }) => title === 'Emails to read in your mailbox')?.lines ?? []
}

test('an answer in the thread opens the ticket again, and staff hear of it', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const uid = imap.deliver(email({ 'In-Reply-To': reply }))
  await receive()
  const ticket = await ticketOf(site)
  expect(ticket).toMatchObject({
    status: 'open',
    messages: [
      { author: 'staff', email: null },
      {
        author: 'visitor',
        name: 'Aino Virtanen',
        text: 'Yes, call me on Monday.',
        email: { text: null, isCut: false, attachments: [] },
      },
    ],
    history: [{}, { text: 'visitor: answered by email, answered → open' }],
  })
  // Friday afternoon: by the end of Monday.
  expect(ticket.dueAt).toBe('2026-11-23T15:00:00.000Z')
  expect(imap.flagsOf(uid)).toEqual(['\\Seen'])
  await settled(site)
  expect(mailFiles(site.dataDir).at(-1)).toMatchObject({
    subject: 'Aino Virtanen added to a message [Ticket: abc123]',
    text: expect.stringContaining('Yes, call me on Monday.'),
  })
})

test('the same email twice is one answer, however often it is delivered and read', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const once = email({ References: `<other@example.com> ${reply}` })
  imap.deliver(once)
  imap.deliver(once)
  await receive()
  // The mailbox is made again, and staff mark all as unread.
  imap.renumber()
  for (const { flags } of imap.emails) flags.clear()
  await receive()
  expect(await addedTo(site)).toEqual(['Yes, call me on Monday.'])
  expect(imap.emails.map(({ flags }) => [...flags])).toEqual([['\\Seen'], ['\\Seen']])
  expect(site.context.mails.list().filter(({ kind }) => kind === 'ticketAddition')).toHaveLength(1)
})

test('another email under the same Message-ID is another answer', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const fields = { 'In-Reply-To': reply, 'Message-ID': '<template@mail.example.com>' }
  for (const words of ['Monday is fine.', 'No, Tuesday.', 'No, Tuesday.']) {
    imap.deliver(email(fields, words))
  }
  await receive()
  imap.renumber()
  for (const { flags } of imap.emails) flags.clear()
  await receive()
  expect(await addedTo(site)).toEqual(['Monday is fine.', 'No, Tuesday.'])
})

test('spellings of the ticket’s address are its sender, and nobody else is', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const thread = { 'In-Reply-To': reply }
  imap.deliver(email({ ...thread, From: 'AINO+Team@Example.COM' }, 'As Aino.'))
  const others = [
    'Eero <eero@example.com>',
    '"aino@example.com" <eero@example.com>',
    'aino@example.com, eero@example.com',
    'Aino <aino@example.com>\r\nFrom: eero@example.com',
    'aino@example.com.evil.example',
    'aino@example.com\u0000@evil.example',
  ]
  const uids = others.map((From) => imap.deliver(email({ ...thread, From }, 'As another.')))
  uids.push(imap.deliver(email({ ...thread, From: null, Sender: 'aino@example.com' })))
  uids.push(
    imap.deliver(email({ ...thread, From: 'e@example.com', 'Reply-To': 'aino@example.com' })),
  )
  await receive()
  expect(await addedTo(site)).toEqual(['As Aino.'])
  const lines = await waitingAt(site)
  expect(lines).toHaveLength(uids.length)
  for (const line of lines) {
    expect(line).toMatchObject({
      title: 'Re: Race weekend in Imatra [Ticket: abc123]',
      detail: expect.stringContaining('not from the ticket’s address · open in your mailbox'),
      href: '/desk/tickets/abc123',
    })
  }
  for (const uid of uids) expect(imap.flagsOf(uid)).toEqual([])
})

test('a subject or a quoted text that names a ticket puts nothing into it', async () => {
  await using inbound = await startInbound()
  const { site, imap, receive } = inbound
  await saveEnquiry(site, { 'Ticket ID': 'other1', Email: 'eero@example.com' })
  await settled(site)
  const link = /\/ticket\/[\w-]+/.exec(mailFiles(site.dataDir)[0]!.text)![0]
  imap.deliver(email({ Subject: 'Re: [Ticket: other1]' }))
  imap.deliver(email({ Subject: 'Hello', From: 'x@example.org' }, 'About [Ticket: abc123]'))
  imap.deliver(email({ Subject: 'Link', From: 'x@example.org' }, `See ${site.url}${link}`))
  imap.deliver(email({ Subject: 'A new question' }))
  // No affair of any ticket.
  imap.deliver(email({ Subject: 'Offer [Ticket: zzzzzz]', From: 'shop@example.org' }, 'Buy.'))
  await receive()
  expect(await addedTo(site)).toEqual([])
  expect(await addedTo(site, 'other1')).toEqual([])
  expect((await waitingAt(site)).map(({ title, href }) => `${title}: ${href}`).toSorted()).toEqual([
    'A new question: /desk/tickets/abc123',
    'Hello: /desk/tickets/abc123',
    'Link: /desk/tickets/abc123',
    'Re: [Ticket: other1]: /desk/tickets/other1',
  ])
})

test('the line of an email goes once it has been read in the mailbox', async () => {
  await using inbound = await startInbound()
  const { site, imap, receive } = inbound
  const [first] = ['One', 'Two'].map((Subject) => imap.deliver(email({ Subject })))
  await receive()
  expect(await waitingAt(site)).toHaveLength(2)
  imap.emails.find(({ uid }) => uid === first)!.flags.add('\\Seen')
  await receive()
  expect((await waitingAt(site)).map(({ title }) => title)).toEqual(['Two'])
  site.clock.advance(31 * 86_400_000)
  await receive()
  expect(await waitingAt(site)).toEqual([])
})

test.each([
  ['an out-of-office reply', { 'Auto-Submitted': 'auto-replied' }],
  ['an odd spelling of it', { 'auto-submitted': 'Auto-Replied; owner-email="a@b"' }],
  ['bulk', { Precedence: 'bulk' }],
  ['a list', { Precedence: 'List' }],
  ['an autoresponder of a web host', { Precedence: 'auto_reply' }],
  ['an older one', { 'X-Autoreply': 'yes' }],
  ['another older one', { 'X-Autorespond': 'Away until Monday' }],
  ['what wants no reply', { 'X-Auto-Response-Suppress': 'OOF' }],
  ['an empty return path', { 'Return-Path': '<>' }],
])('%s is no answer, and causes no email', async (_, fields) => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const before = site.context.mails.list().length
  const uid = imap.deliver(email({ 'In-Reply-To': reply, ...fields }))
  await receive()
  expect(await addedTo(site)).toEqual([])
  expect(await waitingAt(site)).toEqual([])
  expect(imap.flagsOf(uid)).toEqual([])
  expect(site.context.mails.list()).toHaveLength(before)
})

test('“Auto-Submitted: no” is a person', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  imap.deliver(email({ 'In-Reply-To': reply, 'Auto-Submitted': 'no (a person)' }))
  await receive()
  expect(await addedTo(site)).toHaveLength(1)
})

/** What a mail server sends back of an email that it couldn't deliver. */
const bounce = (reply: string, action = 'failed') =>
  email(
    {
      From: 'Mail Delivery System <MAILER-DAEMON@mx.example.com>',
      Subject: 'Undelivered Mail Returned to Sender',
      'Return-Path': '<>',
      'Auto-Submitted': 'auto-replied',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary="b"',
    },
    [
      '--b',
      'Content-Type: text/plain',
      '',
      'I’m sorry to have to inform you.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.com',
      '',
      'Final-Recipient: rfc822; aino@example.com',
      `Action: ${action}`,
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 <aino@example.com>:',
      '    user unknown',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: Office <staff@example.com>',
      `Message-ID: ${reply}`,
      'Subject: Re: Race weekend in Imatra [Ticket: abc123]',
      '',
      'Yes.',
      '',
      '--b--',
    ].join('\r\n'),
  )

test('a bounce marks our reply as not delivered, at the ticket and on the desk', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const before = site.context.mails.list().length
  imap.deliver(bounce(reply, 'delayed'))
  imap.deliver(bounce('<unknown@example.com>'))
  await receive()
  expect((await ticketOf(site)).messages[0]!.delivery).toEqual({ text: 'Sent', failed: false })
  const uids = [bounce(reply), bounce(reply)].map((raw) => imap.deliver(raw))
  await receive()
  const { messages, history } = await ticketOf(site)
  expect(messages).toHaveLength(1)
  expect(messages[0]!.delivery).toEqual({
    text: 'Not delivered: 550 5.1.1 <aino@example.com>: user unknown',
    failed: true,
  })
  expect(history.filter(({ text }) => text.includes('reply bounced'))).toHaveLength(1)
  expect(imap.flagsOf(uids[0]!)).toEqual(['\\Seen'])
  expect(site.context.mails.list()).toHaveLength(before)
  expect(site.context.mails.counts().failed).toBe(1)
})

test('a newsletter that comes back later counts like one that was refused', async () => {
  await using inbound = await startInbound()
  const { site, imap, receive } = inbound
  const { newsletter } = site.context.features
  const reader = { email: 'aino@example.com', name: '', status: 'subscribed' as const }
  await site.context.commit((tx) => newsletter.subscribers.import(tx, reader, 'at the paddock'))
  for (const [slug, status] of [
    ['booking-opens-for-2027', 'subscribed'],
    ['forty-eight-hours-at-kymiring', 'unsubscribed'],
  ] as const) {
    await newsletter.acts.send(slug, 100, 'staff')
    await settled(site)
    imap.deliver(bounce(`<${site.context.mails.of('issue', slug)[0]!.messageId}>`))
    await receive()
    expect(newsletter.subscribers.find(reader.email)!.status).toBe(status)
  }
  expect(site.context.mails.counts().failed).toBe(0)
})

test('a bounce marks an email about a booking as failed, too, but none to staff', async () => {
  await using inbound = await startInbound()
  const { site, imap, receive } = inbound
  await book(site)
  await settled(site)
  const ofBookings = () => site.context.mails.list().filter(({ thing }) => thing === 'booking')
  const sent = ofBookings()
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 'sent'))
  expect(new Set(sent.map(({ toStaff }) => toStaff))).toEqual(new Set([true, false]))
  for (const { messageId } of sent) imap.deliver(bounce(`<${messageId}>`))
  await receive()
  const reply = '550 5.1.1 <aino@example.com>: user unknown'
  expect(ofBookings()).toMatchObject(
    sent.map(({ toStaff }) =>
      toStaff ? { status: 'sent' } : { status: 'failed', lastReply: reply },
    ),
  )
  const { groups } = (await atDesk(site, 'today')) as unknown as {
    groups: { title: string; total: number }[]
  }
  expect(groups).toContainEqual(expect.objectContaining({ title: 'Emails that failed', total: 1 }))
})

test('our own emails in the mailbox are left alone', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  // The notice to staff, our reply with a copy to ourselves, and an answer of staff by email.
  const [notice] = site.context.mails.list().filter(({ kind }) => kind === 'notice')
  imap.deliver(email({ 'Message-ID': `<${notice!.messageId}>` }))
  imap.deliver(email({ 'Message-ID': reply, 'In-Reply-To': reply }))
  imap.deliver(email({ 'In-Reply-To': reply, From: 'Office <STAFF@example.com>' }))
  await receive()
  expect(await addedTo(site)).toEqual([])
  expect(await waitingAt(site)).toEqual([])
  expect(imap.emails.map(({ flags }) => flags.size)).toEqual([0, 0, 0])
})

test('what an answer quotes is cut off, and kept', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const whole = `Monday is fine.\n\nOn 20 Nov 2026 at 14:00, Noora wrote:\n> ${replyText}\n> Noora`
  imap.deliver(email({ 'In-Reply-To': reply }, whole))
  await receive()
  expect((await ticketOf(site)).messages[1]).toMatchObject({
    text: 'Monday is fine.',
    email: { text: whole, isCut: false },
  })
})

test('an answer of any length fits, and says that it goes on', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  imap.deliver(email({ 'In-Reply-To': reply }, 'word '.repeat(3_000)))
  imap.deliver(email({ 'In-Reply-To': reply }, '🏁 line\r\n'.repeat(20_000)))
  await receive()
  const [, first, second] = (await ticketOf(site)).messages
  expect(first!.text).toMatch(/…\n\n\[Cut here\. The rest is in the email\.\]$/)
  expect(Array.from(first!.text).length).toBeLessThanOrEqual(10_000)
  expect(first!.email).toMatchObject({ text: expect.stringMatching(/word$/), isCut: false })
  expect(first!.email!.text!.length).toBe(14_999)
  expect(second!.email).toMatchObject({ isCut: true })
})

const parts = (...each: string[]) => `${each.map((part) => `--b\r\n${part}`).join('\r\n')}\r\n--b--`
const mixed = { 'Content-Type': 'multipart/mixed; boundary=b' }

test.each<[string, Record<string, string>, string | Buffer, string]>([
  [
    'ISO-8859-15 in quoted-printable',
    {
      'Content-Type': 'text/plain; charset=iso-8859-15',
      'Content-Transfer-Encoding': 'quoted-printable',
    },
    'Hinta on 50 =A4, n=E4hd=E4=E4n =B4ijaa.',
    'Hinta on 50 €, nähdään Žijaa.',
  ],
  [
    'windows-1252',
    { 'Content-Type': 'text/plain; charset="windows-1252"' },
    Buffer.from([0x93, 0x59, 0x65, 0x73, 0x94, 0x20, 0x80]),
    '“Yes” €',
  ],
  [
    'base64 in UTF-8',
    { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' },
    Buffer.from('Käy hyvin 🏁').toString('base64'),
    'Käy hyvin 🏁',
  ],
  [
    'a charset that nobody knows',
    { 'Content-Type': 'text/plain; charset=x-klingon' },
    'Käy hyvin',
    'Käy hyvin',
  ],
  [
    'HTML only',
    { 'Content-Type': 'text/html; charset=utf-8' },
    '<p>Yes, <b>Monday</b>.</p><script>alert(1)</script><p>Aino</p><blockquote>Quoted</blockquote>',
    'Yes, Monday.\n\nAino',
  ],
  ['no text at all', { 'Content-Type': 'text/plain' }, '', '[No text.]'],
  [
    'an email that is passed on without a word',
    {},
    '---------- Forwarded message ---------\r\nFrom: Boss <boss@example.com>\r\nSubject: Budget\r\n\r\nIt’s €4,000.',
    '[Only a quoted or forwarded email.]',
  ],
  [
    'a table in HTML alone',
    { 'Content-Type': 'text/html; charset=utf-8' },
    '<p>Prices:</p><table><tr><th>Day</th><th>Price</th></tr><tr><td>1.12.2026</td><td>500 €</td></tr><tr><td>2.12.2026</td><td>300 €</td></tr></table>',
    'Prices:\n\nDay Price\n1.12.2026 500 €\n2.12.2026 300 €',
  ],
  [
    'only a file',
    mixed,
    parts(
      'Content-Type: image/png\r\nContent-Disposition: attachment; filename=plan.png\r\n\r\nabc',
    ),
    '[No text, only attachments.]',
  ],
])('%s is read as it was written', async (_, fields, body, text) => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const header = email({ 'In-Reply-To': reply, ...fields }, '').trimEnd()
  imap.deliver(Buffer.concat([Buffer.from(`${header}\r\n\r\n`), Buffer.from(body)]))
  await receive()
  expect(await addedTo(site)).toEqual([text])
})

test('attachments are named, and stay in the mailbox', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  imap.deliver(
    email(
      { 'In-Reply-To': reply, ...mixed },
      parts(
        'Content-Type: text/plain\r\n\r\nSee the plan.',
        `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''n%C3%A4.pdf\r\n\r\n${'x'.repeat(2_200_000)}`,
        'Content-Type: text/html\r\nContent-Disposition: attachment; filename="../a\u0007.html"\r\n\r\n<b>',
      ),
    ),
  )
  await receive()
  const [, answer] = (await ticketOf(site)).messages
  expect(answer).toMatchObject({
    text: 'See the plan.',
    email: { attachments: ['nä.pdf (2.2 MB)', '../a .html (3 bytes)'] },
  })
  await settled(site)
  expect(mailFiles(site.dataDir).at(-1)!.text).toContain('nä.pdf (2.2 MB)')
})

test('a ticket that is spam takes no answer, and one that is gone neither', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const { actions } = site.context.features.contact
  await actions.setStatus('abc123', 'spam', 'Noora')
  imap.deliver(email({ 'In-Reply-To': reply }))
  await receive()
  expect(await addedTo(site)).toEqual([])
  expect(await waitingAt(site)).toEqual([])
})

test('beyond what a visitor may add in a day, emails wait for staff', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  for (let n = 0; n < 22; n += 1) imap.deliver(email({ 'In-Reply-To': reply }, `Number ${n}`))
  await receive()
  expect(await addedTo(site)).toHaveLength(20)
  const lines = await waitingAt(site)
  expect(lines).toHaveLength(2)
  expect(lines[0]!.detail).toContain('this ticket has had too many messages')
})

test('what is kept of emails is found and erased with the person', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const whole = 'My words.\n\n> What I quote'
  imap.deliver(email({ 'In-Reply-To': reply }, whole))
  imap.deliver(email({ Subject: 'By the way' }))
  await receive()
  const kept = async () => {
    const found: unknown[] = []
    for (const { find } of site.context.contributions().personalData) {
      found.push(await find('Aino@Example.com'))
    }
    return JSON.stringify(found)
  }
  expect(await kept()).toContain('What I quote')
  expect(await kept()).toContain('By the way')
  await site.context.commit((tx) => {
    for (const { erase } of site.context.contributions().personalData) {
      erase?.(tx, 'aino@example.com')
    }
  })
  expect(await kept()).not.toMatch(/What I quote|By the way/)
  await receive()
  expect(await waitingAt(site)).toEqual([])
})
