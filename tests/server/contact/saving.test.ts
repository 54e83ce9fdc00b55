import { expect, test } from 'vitest'
import { makeClient } from '../../support/clients.ts'
import { enquiry, mailCalls, saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite } from '../../support/site.ts'
import { runSql } from '../../support/raw-database.ts'

test('a message is kept with its two mails', async () => {
  await using site = await startSite()
  const reply = await saveEnquiry(site)
  expect(reply.status).toBe(201)
  expect(reply.json).toEqual({ success: true, ticketId: 'abc123', status: 'saved' })
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['set-cookie']).toBeUndefined()
  expect(site.context.features.contact.tickets.find('abc123')).toEqual({
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

test('the notice leads staff to the client at the desk, whose panel asks for the client’s code', async () => {
  await using site = await startSite()
  await makeClient(site, { emails: ['aino@example.com'] })
  await saveEnquiry(site)
  await settled(site)
  const notice = mailFiles(site.dataDir).find(({ to }) => to.includes('staff@localhost'))
  expect(notice!.text).toMatch(
    /Client +Nordic Rally Team\s+http\S+\/desk\/clients\/nordic-rally-team/,
  )
})

test('the same ticket again is a repeat and sends nothing again', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const reply = await saveEnquiry(site, { Date: '2026-11-20T12:00:05.000Z' })
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({ success: true, ticketId: 'abc123', status: 'repeat' })
  expect(site.context.mails.list()).toHaveLength(2)
  expect([...site.context.features.contact.tickets.list()]).toHaveLength(1)
})

test('a ticket id that belongs to another message is a clash, and the first message stays', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  const reply = await saveEnquiry(site, { Message: 'Something else entirely.' })
  expect(reply.status).toBe(409)
  expect(reply.json).toMatchObject({ success: false, code: 'duplicate' })
  expect(site.context.features.contact.tickets.find('abc123')?.message).toBe(enquiry().Message)
})

test('sixteen calls with one ticket id at once become one ticket', async () => {
  await using site = await startSite()
  const replies = await Promise.all(Array.from({ length: 16 }, () => saveEnquiry(site)))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 15 }, () => 200),
    201,
  ])
  expect(site.context.mails.list()).toHaveLength(2)
})

test('a clash among calls of the same moment spoils none of the others', async () => {
  await using site = await startSite({ sending: false })
  const replies = await Promise.all([
    saveEnquiry(site, { 'Ticket ID': 'aaaaaa' }),
    saveEnquiry(site, { 'Ticket ID': 'aaaaaa', Message: 'Another message.' }),
    saveEnquiry(site, { 'Ticket ID': 'bbbbbb', Email: 'other@example.com' }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([201, 409, 201])
  expect(site.context.mails.list()).toHaveLength(4)
})

test.each([
  ['Latin with marks', 'Åsa Öhrström-Þórsdóttir'],
  ['Cyrillic', 'Анна Каренина'],
  ['Arabic', 'فاطمة الزهراء'],
  ['Chinese', '王小明'],
  ['letters beyond the first plane', '𐌰𐌱𐌲 𐌳𐌴𐌵'],
  ['a formula', '=HYPERLINK("http://example.com")'],
  ['markup', '<script>alert(1)</script>'],
])('a name in %s is stored letter by letter', async (_, Name) => {
  await using site = await startSite({ sending: false })
  const long = { Name, Subject: 'ä'.repeat(100), Message: '語'.repeat(1000) }
  expect((await saveEnquiry(site, long)).status).toBe(201)
  expect(site.context.features.contact.tickets.find('abc123')).toMatchObject({
    name: Name,
    subject: long.Subject,
    message: long.Message,
  })
})

test.each(['e\u0301', 'नि', '🇫🇮', '👨‍👩‍👧‍👦'])(
  'a hundred times %s is a hundred characters, in the name, the subject and the mail calls',
  async (character) => {
    await using site = await startSite({ sending: false })
    const text = character.repeat(100)
    const long = { Name: text, Subject: text, Message: character.repeat(1000) }
    expect((await saveEnquiry(site, long)).status).toBe(201)
    expect(site.context.features.contact.tickets.find('abc123')).toMatchObject({
      name: text,
      subject: text,
      message: long.Message,
    })
    const { confirmation, notice } = mailCalls(enquiry({ Name: text }))
    for (const call of [confirmation, notice]) {
      expect((await site.post('/api/send-email', call)).status).toBe(202)
    }
    const more = { 'Ticket ID': 'abc124', Name: character.repeat(121) }
    expect((await saveEnquiry(site, more)).status).toBe(400)
  },
)

test('a heap of accents is no name', async () => {
  await using site = await startSite({ sending: false })
  expect((await saveEnquiry(site, { Name: `e${'\u0301'.repeat(10_000)}` })).status).toBe(400)
})

test('a hundred letters beyond the first plane are a hundred letters', async () => {
  await using site = await startSite({ sending: false })
  const Name = '𐌰'.repeat(100)
  expect((await saveEnquiry(site, { Name })).status).toBe(201)
  expect(site.context.features.contact.tickets.find('abc123')?.name).toBe(Name)
})

test('the longest message of the form is taken, even with every letter as two JSON escapes', async () => {
  await using site = await startSite({ sending: false })
  const long = { Name: '𐌰'.repeat(120), Subject: '🏎'.repeat(200), Message: '🏁'.repeat(10_000) }
  const escaped = JSON.stringify(enquiry(long)).replaceAll(
    /[^\u0000-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  expect(escaped.length).toBeGreaterThan(120_000)
  expect((await site.post('/api/save-contact-form', escaped)).status).toBe(201)
  expect(site.context.features.contact.tickets.find('abc123')).toMatchObject({
    name: long.Name,
    subject: long.Subject,
    message: long.Message,
  })
})

test('half a letter becomes the sign for one, and a repeat of it is the same ticket', async () => {
  await using site = await startSite({ sending: false })
  const broken = { Name: 'Aino \ud83c', Message: 'Flags: \udfc1 and \ud83c again' }
  expect((await saveEnquiry(site, broken)).status).toBe(201)
  expect((await saveEnquiry(site, broken)).status).toBe(200)
  expect(site.context.features.contact.tickets.find('abc123')).toMatchObject({
    name: 'Aino \ufffd',
    message: 'Flags: \ufffd and \ufffd again',
  })
})

test('a database that cannot be written gives 500 with a request id and no inner text', async () => {
  await using site = await startSite({ sending: false })
  const failing = "BEFORE INSERT ON tickets BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END"
  runSql(site.dataDir, `CREATE TRIGGER refused ${failing}`)
  const reply = await saveEnquiry(site)
  expect(reply.status).toBe(500)
  expect(reply.json).toEqual({
    success: false,
    message: 'An unexpected error occurred',
    code: 'broken',
    requestId: reply.headers['x-request-id'],
  })
  runSql(site.dataDir, 'DROP TRIGGER refused')
  expect((await saveEnquiry(site)).status).toBe(201)
})

test('the log line of a ticket holds neither text nor address', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const log = site.logLines().join('')
  expect(log).toContain('abc123')
  expect(log).not.toContain('photographers')
  expect(log).not.toContain('aino@example.com')
  expect(log).not.toContain('Aino')
})
