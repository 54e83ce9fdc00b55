import { expect, test } from 'vitest'
import type { StaffTicketView, VisitorTicketView } from '#shared/contact/tickets.ts'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp } from '../../support/smtp.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000
const key = 'a-key-of-one-reply'

type Headers = Record<string, string>

const staffView = async (site: Site, ticket: string, headers: Headers = {}) => {
  const { status, json } = await site.get(`/api/desk/tickets/${ticket}`, { headers })
  expect(status).toBe(200)
  return json as unknown as StaffTicketView
}

const visitorView = async (site: Site, token: string) => {
  const { status, json } = await site.get(`/api/ticket/${token}`)
  expect(status).toBe(200)
  return json as unknown as VisitorTicketView
}

const act = (site: Site, ticket: string, body: Record<string, unknown>, headers: Headers = {}) =>
  site.post(`/api/desk/tickets/${ticket}`, body, { headers })

/** The token of a link in the last email with a subject. */
const linkIn = (site: Site, subject: string, path: string) => {
  const mail = mailFiles(site.dataDir).findLast((each) => each.subject.includes(subject))!
  return new RegExp(`${path}([\\w-]+)`).exec(mail.text)![1]!
}

test('a reply goes to the visitor in the thread of the confirmation, signed, above what it answers', async () => {
  await using site = await startSite({ env: { STAFF_EMAIL: 'Office <office@example.com>' } })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  await saveEnquiry(site)
  await settled(site)
  const { state } = await staffView(site, 'abc123', headers)
  const sent = await act(
    site,
    'abc123',
    { act: 'reply', state, key, text: 'Yes, we’re free.\n\nShall we call?' },
    headers,
  )
  expect(sent.status).toBe(200)
  await settled(site)
  const [confirmation, , reply] = mailFiles(site.dataDir)
  const header = (name: string, mail = reply!) => mail.headers[name.toLowerCase()]
  expect(reply).toMatchObject({
    to: expect.stringContaining('aino@example.com'),
    subject: 'Re: Race weekend in Imatra [Ticket: abc123]',
  })
  expect(header('In-Reply-To')).toBe(header('Message-ID', confirmation))
  expect(header('References')).toContain(header('Message-ID', confirmation))
  expect(header('Reply-To')).toContain('office@example.com')
  expect(header('Auto-Submitted')).toBe('no')
  expect(reply!.text).toMatch(/Yes, we’re free\.\s+Shall we call\?\s+Noora\n/)
  expect(reply!.text).toContain('Aino Virtanen wrote:')
  expect(reply!.text).toContain('We need two photographers')
  expect(await staffView(site, 'abc123', headers)).toMatchObject({
    status: 'answered',
    messages: [{ author: 'staff', name: 'Noora', delivery: { text: 'Sent', failed: false } }],
    history: [{ text: 'Noora: replied, new → answered' }],
  })
})

test('the same reply twice is one, and another text under its key is refused', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site)
  const { state } = await staffView(site, 'abc123', headers)
  const reply = { act: 'reply', state, key, text: 'Yes.' }
  const both = await Promise.all([
    act(site, 'abc123', reply, headers),
    act(site, 'abc123', reply, headers),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await act(site, 'abc123', { ...reply, text: 'No.' }, headers)).status).toBe(409)
  expect((await staffView(site, 'abc123', headers)).messages).toHaveLength(1)
  expect(site.context.mails.list().filter(({ kind }) => kind === 'ticketReply')).toHaveLength(1)
})

test('the second of staff hears what has changed, and nothing of theirs is sent', async () => {
  await using site = await startSite({ sending: false })
  const noora = await signIn(site, ['desk'], { name: 'Noora' })
  const mika = await signIn(site, ['desk'], { name: 'Mika' })
  await saveEnquiry(site)
  const { state } = await staffView(site, 'abc123', noora.headers)
  await act(site, 'abc123', { act: 'assign', state, assignee: 'Noora' }, noora.headers)
  for (const late of [
    { act: 'reply', key, text: 'Yes.' },
    { act: 'status', status: 'closed' },
    { act: 'assign', assignee: 'Mika' },
  ]) {
    const { status, json } = await act(site, 'abc123', { ...late, state }, mika.headers)
    expect(status).toBe(409)
    expect(json?.message).toContain('Noora: assigned, nobody → Noora')
  }
  // What is already so isn't a change, and a note overwrites nothing.
  const again = { act: 'assign', state, assignee: 'Noora' }
  expect((await act(site, 'abc123', again, mika.headers)).status).toBe(200)
  const note = { act: 'note', state, text: 'Call first.' }
  for (const _ of [1, 2]) expect((await act(site, 'abc123', note, mika.headers)).status).toBe(200)
  const after = await staffView(site, 'abc123', mika.headers)
  expect(after).toMatchObject({ status: 'new', assignee: 'Noora', messages: [] })
  expect(after.history).toHaveLength(2)
})

test('a reply that the mailbox refuses stays with the ticket, with what the mail server said', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site)
  await settled(site)
  smtp.mood = { recipient: 550 }
  const { state } = await staffView(site, 'abc123', headers)
  await act(site, 'abc123', { act: 'reply', state, key, text: 'Yes.' }, headers)
  await settled(site)
  const { messages } = await staffView(site, 'abc123', headers)
  expect(messages).toMatchObject([{ text: 'Yes.', delivery: { failed: true } }])
  expect(messages[0]!.delivery!.text).toMatch(/^Not delivered: .*550/)
})

test('a reply that is being sent is on its way, and only one that has failed waits for another try', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site)
  await settled(site)
  const before = smtp.attempts()
  smtp.mood = 'hang'
  const { state } = await staffView(site, 'abc123', headers)
  await act(site, 'abc123', { act: 'reply', state, key, text: 'Yes.' }, headers)
  const delivery = async () =>
    (await staffView(site, 'abc123', headers)).messages[0]!.delivery!.text
  await eventually(() => expect(smtp.attempts()).toBe(before + 1))
  expect(await delivery()).toBe('On its way')
  await smtp.goDown()
  await eventually(async () =>
    expect(await delivery()).toMatch(/^Not sent yet, we’ll try again: ./),
  )
})

test('the link in the notice opens its own ticket alone, until 30 days after it is closed', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await saveEnquiry(site, { 'Ticket ID': 'other1', Email: 'eero@example.com' })
  await settled(site)
  const token = linkIn(site, 'abc123', '/desk/tickets/')
  expect(await staffView(site, token)).toMatchObject({ ticketId: 'abc123', actor: null })
  for (const path of ['tickets/abc123', 'tickets/other1', 'today']) {
    expect((await site.get(`/api/desk/${path}`)).status).toBe(401)
  }
  expect((await site.get(`/api/ticket/${token}`)).status).toBe(404)
  const { state } = await staffView(site, token)
  const nameless = await act(site, token, { act: 'status', state, status: 'closed' })
  expect([nameless.status, nameless.json?.errors]).toEqual([
    400,
    { name: 'Please enter your name' },
  ])
  const closing = { act: 'status', state, status: 'closed', name: 'Mika' }
  expect((await act(site, token, closing)).status).toBe(200)
  expect((await staffView(site, token)).history).toMatchObject([
    { text: 'Mika, through the link in the email: status new → closed' },
  ])
  site.clock.advance(30 * day - 1)
  expect((await site.get(`/api/desk/tickets/${token}`)).status).toBe(200)
  site.clock.advance(1)
  expect((await site.get(`/api/desk/tickets/${token}`)).status).toBe(410)
  expect((await act(site, token, { act: 'note', state, text: 'x', name: 'Mika' })).status).toBe(410)
})

test('undoing the close of a ticket after its day promises the visitor another one', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  await saveEnquiry(site)
  await settled(site)
  const token = linkIn(site, 'Thank you', '/ticket/')
  const due = async () => (await visitorView(site, token)).dueAt
  const change = async (body: Record<string, unknown>) => {
    const { state } = await staffView(site, 'abc123', headers)
    expect((await act(site, 'abc123', { ...body, state }, headers)).status).toBe(200)
  }
  const first = await due()
  await change({ act: 'status', status: 'closed' })
  await change({ act: 'undo' })
  expect(await due()).toBe(first)

  await change({ act: 'status', status: 'closed' })
  site.clock.advance(4 * day)
  await change({ act: 'undo' })
  expect(await due()).toBe('2026-11-25T15:00:00.000Z')

  // Late before it was closed by mistake, it stays late.
  site.clock.advance(2 * day)
  await change({ act: 'status', status: 'spam' })
  await change({ act: 'undo' })
  expect(await staffView(site, 'abc123', headers)).toMatchObject({
    dueAt: '2026-11-25T15:00:00.000Z',
    isLate: true,
  })
})

test('a code without the desk, or one that was revoked, changes nothing', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const client = await signIn(site, ['view', 'manage'])
  const staff = await signIn(site, ['desk'], { name: 'Noora' })
  const note = { act: 'note', state: '0', text: 'x', name: 'Mika' }
  expect((await act(site, 'abc123', note)).status).toBe(401)
  expect((await act(site, 'abc123', note, client.headers)).status).toBe(403)
  const { codes } = site.context.features.clients
  await site.context.commit((tx) => codes.revoke(tx, staff.codeId))
  expect((await act(site, 'abc123', note, staff.headers)).status).toBe(401)
  expect(site.context.timeline.of('ticket', 'abc123')).toEqual([])
})

test('the visitor’s page shows what was typed only to who says that it is theirs', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const token = linkIn(site, 'Thank you', '/ticket/')
  const before = await site.get(`/api/ticket/${token}`)
  expect(before.text).not.toMatch(/Imatra|photographers|Aino/)
  expect(before.json).toMatchObject({ state: { label: 'Received' }, written: null })
  expect((await site.post(`/api/ticket/${token}/claim`, {})).status).toBe(200)
  expect((await visitorView(site, token)).written).toMatchObject({
    subject: 'Race weekend in Imatra',
  })
  expect((await site.get(`/api/desk/tickets/${token}`)).status).toBe(404)
})

test('what a visitor adds opens the ticket again and tells staff, once for each form', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const token = linkIn(site, 'Thank you', '/ticket/')
  await site.context.features.contact.actions.setStatus('abc123', 'answered', 'mika')
  site.clock.advance(3 * day)
  const more = { text: 'And on Monday?', key }
  expect((await site.post(`/api/ticket/${token}`, more)).status).toBe(201)
  expect((await site.post(`/api/ticket/${token}`, more)).status).toBe(201)
  await settled(site)
  expect(await visitorView(site, token)).toMatchObject({
    state: { label: 'In progress' },
    messages: [{ author: 'visitor', text: 'And on Monday?' }],
  })
  const mails = mailFiles(site.dataDir).filter(({ subject }) => subject.includes('added'))
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Aino Virtanen added to a message [Ticket: abc123]',
  ])
  expect(mails[0]!.text).toContain('/desk/tickets/')
})

test('a visitor adds at most twenty messages in a day, and nothing to what is spam', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const token = linkIn(site, 'Thank you', '/ticket/')
  const add = (n: number) =>
    site.post(`/api/ticket/${token}`, { text: `More ${n}`, key: `a-key-of-message-${n}` })
  for (let n = 0; n < 20; n += 1) expect((await add(n)).status).toBe(201)
  expect((await add(20)).status).toBe(429)
  site.clock.advance(day)
  expect((await add(21)).status).toBe(201)
  await site.context.features.contact.actions.setStatus('abc123', 'spam', 'mika')
  expect((await add(22)).status).toBe(404)
  expect((await site.get(`/api/ticket/${token}`)).status).toBe(404)
})

test('a ticket of our own mailbox gets no reply, which would come back as the next one', async () => {
  await using site = await startSite({
    sending: false,
    env: { STAFF_EMAIL: 'office@example.com' },
  })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site, { Email: 'Office+x@example.com' })
  const { state } = await staffView(site, 'abc123', headers)
  const reply = { act: 'reply', state, key, text: 'Yes.' }
  expect((await act(site, 'abc123', reply, headers)).status).toBe(400)
})

test('what was written is in a person’s data, and goes with it', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const { contact } = site.context.features
  const by = { name: 'Noora', actor: 'Noora' }
  await contact.actions.reply('abc123', { text: 'Yes.', key, state: null }, by)
  await settled(site)
  const [data] = contact.personalData!
  expect(await data!.find('aino@example.com')).toMatchObject([{ messages: [{ text: 'Yes.' }] }])
  await site.context.commit((tx) => data!.erase!(tx, 'aino@example.com'))
  expect(contact.tickets.messages('abc123')).toEqual([])
  expect(site.context.mails.of('ticket', 'abc123')).toEqual([])
})
