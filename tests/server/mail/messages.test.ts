import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite } from '../../support/site.ts'

const env = {
  MAIL_FROM: 'Pitlane Media <website@pitlane.example>',
  STAFF_EMAIL: 'desk@pitlane.example',
}

async function mailsOf(changes: Record<string, unknown> = {}) {
  await using site = await startSite({ env })
  await saveEnquiry(site, changes)
  await settled(site)
  const files = mailFiles(site.dataDir)
  return {
    confirmation: files.find(({ file }) => file.endsWith('-confirmation.eml')),
    notice: files.find(({ file }) => file.endsWith('-notice.eml')),
  }
}

test('the confirmation promises a reply and repeats nothing that the visitor wrote', async () => {
  const { confirmation } = await mailsOf({
    Name: 'Buy pills',
    Subject: 'Cheap',
    Message: 'RequestContext spam.example now',
  })
  expect(confirmation).toMatchObject({
    subject: 'Thank you for your enquiry',
    from: 'Pitlane Media <website@pitlane.example>',
    to: 'aino@example.com',
    replyTo: null,
  })
  for (const part of [confirmation?.text, confirmation?.html]) {
    expect(part).toContain('We will reply to you by the next working day at the latest.')
    expect(part).toContain('Your ticket number: abc123')
  }
  expect(confirmation?.raw).not.toMatch(/pills|Cheap|spam/)
})

test('the notice carries every field, the due time and the visitor as reply-to', async () => {
  const { notice } = await mailsOf()
  expect(notice).toMatchObject({
    subject: 'New message from website from Aino Virtanen [Ticket: abc123]',
    to: 'desk@pitlane.example',
    replyTo: 'Aino Virtanen <aino@example.com>',
  })
  for (const part of [notice?.text, notice?.html]) {
    for (const text of [
      'abc123',
      'Aino Virtanen',
      'aino@example.com',
      'Race weekend in Imatra',
      'We need two photographers from Friday to Sunday.',
      '23 November 2026, 17:00',
    ]) {
      expect(part).toContain(text)
    }
  }
})

test('both say that a machine wrote them and have an id in our domain', async () => {
  const { confirmation, notice } = await mailsOf()
  for (const mail of [confirmation, notice]) {
    expect(mail?.headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
    })
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@pitlane\.example>$/)
  }
  expect(confirmation?.messageId).not.toBe(notice?.messageId)
})

test('markup in a message stays text', async () => {
  const { notice } = await mailsOf({ Message: '<img src=x onerror=alert(1)> & "more"' })
  expect(notice?.html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;more&quot;')
  expect(notice?.text).toContain('<img src=x onerror=alert(1)> & "more"')
})

test.each(['Анна Каренина', '王小明', 'Åsa "Speed" Öst, MD', 'a@b.example <x@y.example>'])(
  'the name %s stands in the headers and changes no address',
  async (Name) => {
    const { notice } = await mailsOf({ Name })
    expect(notice?.subject).toBe(`New message from website from ${Name} [Ticket: abc123]`)
    expect(notice?.replyTo).toMatch(/<aino@example\.com>$/)
    expect(notice?.raw).toMatch(/^[\x00-\x7F]*$/)
  },
)

test('a line break in a name adds no header', async () => {
  const { notice } = await mailsOf({ Name: 'Aino\r\nBcc: victim@example.com\r\n\r\nHello' })
  expect(notice?.headers).not.toHaveProperty('bcc')
  expect(notice?.to).toBe('desk@pitlane.example')
})

test.each([
  'mailer-daemon@example.com',
  'MAILER-DAEMON@example.com',
  'no-reply@example.com',
  'noreply+shop@example.com',
  'desk@pitlane.example',
  'website@pitlane.example',
])('%s gets no confirmation, and staff hear of the message', async (Email) => {
  await using site = await startSite({ env })
  expect((await saveEnquiry(site, { Email })).status).toBe(201)
  await settled(site)
  expect(mailFiles(site.dataDir).map(({ file }) => file.split('-').at(-1))).toEqual(['notice.eml'])
  expect(site.context.mails.of('ticket', 'abc123')[0]).toMatchObject({
    status: 'dropped',
    lastReply: 'no answer to an automatic or own address',
  })
})

test('without settings that say who we are, an email bears the name that it comes from', async () => {
  using files = contentFiles({ 'settings.json': [] })
  await using site = await startSite({
    env: { CONTENT_DIR: files.dir, MAIL_FROM: 'Kaamos Media <website@kaamos.example>' },
  })
  await saveEnquiry(site)
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ file }) => file.endsWith('confirmation.eml'))!
  expect(mail.from).toBe('Kaamos Media <website@kaamos.example>')
  expect(mail.text).toMatch(/^Kaamos Media\n/)
  expect(mail.html).not.toContain('Our website')
})
