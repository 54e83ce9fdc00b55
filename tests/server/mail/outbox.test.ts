import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OutgoingMail } from '#server/mail/compose.ts'
import { backoff } from '#server/mail/delivery.ts'
import { createMailer } from '#server/mail/transport.ts'
import { eventually } from '../../support/eventually.ts'
import { caughtUp, saveEnquiry, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp, type Smtp } from '../../support/smtp.ts'

const minute = 60_000

/** Milliseconds until a mail server that never answers is given up. */
const silence = 3_000

const states = (site: Site) => site.context.mails.list().map(({ status }) => status)

/** A site with a mail server in a mood, and one saved ticket. */
async function withTicket(mood: Smtp['mood']) {
  // Only a server that never answers is to be given up soon, but not while it's slow once it does.
  const smtp = await startSmtp(mood === 'hang' ? { timeout: silence } : {})
  smtp.mood = mood
  const site = await startSite({ env: { SMTP_URL: smtp.url } })
  const started = performance.now()
  expect((await saveEnquiry(site)).status).toBe(201)
  return {
    smtp,
    site,
    replyMs: performance.now() - started,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      await smtp[Symbol.asyncDispose]()
    },
  }
}

/** Each of the two emails arrived once. */
function expectBoth({ mails }: Smtp) {
  expect(mails.map(({ envelopeTo }) => envelopeTo.join()).toSorted()).toEqual([
    'aino@example.com',
    'staff@localhost',
  ])
}

test('both mails reach the mail server at once', async () => {
  await using it = await withTicket('take')
  await settled(it.site)
  expectBoth(it.smtp)
  expect(states(it.site)).toEqual(['sent', 'sent'])
})

const moods: [string, Smtp['mood']][] = [
  ['puts recipients off (450)', { recipient: 450 }],
  ['puts the text off (451)', { data: 451 }],
  ['never answers', 'hang'],
  ['hangs up in the middle', 'drop'],
  // What it says about every email to a site whose SMTP_URL has no login.
  ['misses our login (530)', { sender: 530 }],
  // Each of these it says about every email, until a setting of ours is mended.
  ['refuses our address (550)', { sender: 550 }],
  [
    'refuses our address after the recipient',
    { recipient: 553, says: '5.7.1 Sender address rejected: not owned by user' },
  ],
  ['passes nothing on for us', { recipient: 550, says: 'relay not permitted' }],
  ['refuses our address after the text', { data: 554, says: '5.1.8 Bad sender' }],
  [
    'refuses our address after the text, in words alone',
    { data: 554, says: 'Message rejected: Email address is not verified. Check: info@example.com' },
  ],
  [
    'wants a verified sender',
    { data: 550, says: 'The from address does not match a verified Sender Identity.' },
  ],
  [
    'lets no one send in our name',
    { data: 550, says: '5.7.60 Client does not have permissions to send as this sender' },
  ],
  ['has sent enough for us today', { data: 550, says: '5.4.5 Daily user sending limit exceeded' }],
]

const forGood: [string, Smtp['mood']][] = [
  ['the recipient', { recipient: 550, says: '5.1.1 No such user' }],
  ['a way to the recipient', { recipient: 550, says: '5.7.1 Only members may write to this list' }],
  ['the text', { data: 554, says: '5.7.1 Looks like spam' }],
  ['the text, for its sender', { data: 554, says: '5.7.1 Spam: links of the sender are listed' }],
  ['the size', { sender: 552, says: '5.3.4 Too large' }],
]

test.each(forGood)('an email is given up at once when %s is refused for good', async (_, mood) => {
  await using it = await withTicket(mood)
  await settled(it.site)
  expect(states(it.site).slice(0, 2)).toEqual(['failed', 'failed'])
})

test.each(moods)('a server that %s gets each mail once when it has recovered', async (_, mood) => {
  await using it = await withTicket(mood)
  expect(it.replyMs).toBeLessThan(silence)
  await settled(it.site)
  expect(states(it.site)).toEqual(['queued', 'queued'])
  it.smtp.mood = 'take'
  it.site.clock.advance(minute - 1)
  await caughtUp(it.site)
  expect(it.smtp.mails).toEqual([])
  it.site.clock.advance(1)
  await settled(it.site)
  expectBoth(it.smtp)
  const ids = it.site.context.mails.list().map(({ messageId }) => `<${messageId}>`)
  expect(it.smtp.mails.map(({ messageId }) => messageId).toSorted()).toEqual(ids.toSorted())
})

test('a server that is down and comes back gets each mail once', async () => {
  await using smtp = await startSmtp()
  await smtp.goDown()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await saveEnquiry(site)
  await settled(site)
  site.clock.advance(minute)
  await settled(site)
  expect(site.context.mails.list().map(({ attempts }) => attempts)).toEqual([2, 2])
  await smtp.comeBack()
  site.clock.advance(5 * minute)
  await settled(site)
  expectBoth(smtp)
})

test('a server that takes one email per connection gets all of them at once', async () => {
  await using smtp = await startSmtp({ perConnection: 1 })
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  for (const id of ['abc001', 'abc002', 'abc003']) {
    expect((await saveEnquiry(site, { 'Ticket ID': id, Email: `${id}@example.com` })).status).toBe(
      201,
    )
  }
  await settled(site)
  expect(site.context.mails.list().map(({ status, attempts }) => [status, attempts])).toEqual(
    Array.from({ length: 6 }, () => ['sent', 1]),
  )
  expect(smtp.mails).toHaveLength(6)
})

test('a server that has the text and thinks about it gets more time than one that hangs', async () => {
  await using smtp = await startSmtp({ timeout: 60_000, thinks: 1500 })
  const email: OutgoingMail = {
    from: { name: 'Pitlane', address: 'site@example.com' },
    to: { name: '', address: 'aino@example.com' },
    subject: 'Your message',
    text: 'Thank you.',
    html: '<p>Thank you.</p>',
    messageId: 'one@example.com',
    file: 'one',
  }
  const mailer = (text: number) =>
    createMailer(
      { mail: { smtpUrl: smtp.url }, dataDir: '' },
      { text, answer: 500, lastAnswer: 60_000 },
    )
  const patient = mailer(60_000)
  const hasty = mailer(500)
  try {
    await expect(patient.send(email)).rejects.toThrow()
    expect(await patient.send(email, { isRepeat: true })).toContain('250')
    smtp.mood = 'hang'
    await expect(hasty.send(email, { isRepeat: true })).rejects.toThrow()
  } finally {
    patient.close()
    hasty.close()
  }
})

test('a refusal for good is kept as failed and seen in the health', async () => {
  await using it = await withTicket({ recipient: 550 })
  await settled(it.site)
  // Those of the ticket: a digest that says they failed may have been tried by now, and failed as well.
  const ofTicket = () => it.site.context.mails.of('ticket', 'abc123')
  expect(ofTicket().map(({ status }) => status)).toEqual(['failed', 'failed'])
  expect(ofTicket()[0]?.lastReply).toContain('550')
  const { json } = await it.site.get('/api/health')
  expect(json).toMatchObject({ status: 'degraded', outbox: 'failing' })
  it.site.clock.advance(5 * 24 * 60 * minute)
  await caughtUp(it.site)
  expect(ofTicket().map(({ attempts }) => attempts)).toEqual([1, 1])
})

test('a refused login is not the fault of the mail', async () => {
  await using smtp = await startSmtp({ refuseLogin: true })
  const url = smtp.url.replace('smtp://', 'smtp://user:wrong@')
  await using site = await startSite({ env: { SMTP_URL: url } })
  await saveEnquiry(site)
  await settled(site)
  expect(states(site)).toEqual(['queued', 'queued'])
})

test('a login is not said to a server that offers no encryption, but on this machine', async () => {
  await using smtp = await startSmtp({ refuseLogin: true })
  const { port } = new URL(smtp.url)
  // Both are this machine, and only the second one is known to be.
  for (const [host, logins] of [
    ['0.0.0.0', 0],
    ['127.0.0.1', 1],
  ] as const) {
    const before = smtp.logins()
    await using site = await startSite({ env: { SMTP_URL: `smtp://user:secret@${host}:${port}` } })
    await saveEnquiry(site)
    await settled(site)
    expect(states(site)).toEqual(['queued', 'queued'])
    expect([host, smtp.logins() > before]).toEqual([host, logins > 0])
  }
})

test.each([
  ['48 hours where the server puts an email off', false, 48],
  ['five days where it is away or refuses us', true, 120],
])('the waits grow from a minute to an hour and end after %s', (_, isOurs, hours) => {
  const waits = []
  for (let attempts = 1; ; attempts += 1) {
    const wait = backoff(attempts, isOurs)
    if (wait === null) break
    waits.push(wait / minute)
  }
  expect(waits.slice(0, 6)).toEqual([1, 5, 15, 60, 60, 60])
  const whole = waits.reduce((sum, wait) => sum + wait, 0) / 60
  expect(whole).toBeGreaterThan(hours - 2)
  expect(whole).toBeLessThanOrEqual(hours)
})

test('two processes on one database send each mail once', async () => {
  await using smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url, SHARES: 'off' }
  await using first = await startSite({ env })
  await using second = await startSite({ env, dataDir: first.dataDir, clock: first.clock })
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      saveEnquiry(n % 2 ? first : second, {
        'Ticket ID': `aaaa${String(n).padStart(2, '0')}`,
        Email: `visitor${n}@example.com`,
      }),
    ),
  )
  await settled(first)
  expect(smtp.mails).toHaveLength(40)
  expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(40)
})

test('a mail queued by another process is sent without a wake', async () => {
  await using smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url }
  await using sleeper = await startSite({ env, sending: false })
  await using worker = await startSite({ env, dataDir: sleeper.dataDir, clock: sleeper.clock })
  await saveEnquiry(sleeper)
  await settled(worker)
  expectBoth(smtp)
})

test('a mail whose sender died is taken over when its lease ends', async () => {
  await using smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url }
  await using dead = await startSite({ env, sending: false })
  await saveEnquiry(dead)
  await dead.context.commit((tx) => dead.context.mails.lease(tx, 30_000, []))
  await using heir = await startSite({ env, dataDir: dead.dataDir, clock: dead.clock })
  await expect.poll(() => smtp.mails).toHaveLength(1)
  heir.clock.advance(30_000)
  await settled(heir)
  expectBoth(smtp)
})

test('a lease that has run out cannot mark the mail of another', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const { commit, mails } = site.context
  const late = await commit((tx) => mails.lease(tx, 1000, []))
  site.clock.advance(2000)
  await commit((tx) => mails.lease(tx, 1000, []))
  await commit((tx) => mails.lease(tx, 1000, []))
  await commit((tx) => mails.settle(tx, late!, 'failed', 'too late'))
  expect(states(site)).not.toContain('failed')
})

test('without SMTP mails become files that only their owner reads', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const [mail] = mailFiles(site.dataDir)
  expect(mail?.file).toBe('2026-11-20T12-00-00-abc123-confirmation.eml')
  expect(statSync(join(site.dataDir, 'mail', mail!.file)).mode & 0o777).toBe(0o600)
})

test('a mail that cannot be written leaves no half of it in a file', async () => {
  await using site = await startSite()
  const directory = join(site.dataDir, 'mail')
  mkdirSync(join(directory, '2026-11-20T12-00-00-abc123-confirmation.eml/in-the-way'), {
    recursive: true,
  })
  await saveEnquiry(site)
  await eventually(() =>
    expect(site.context.mails.of('ticket', 'abc123')).toContainEqual(
      expect.objectContaining({ kind: 'confirmation', lastReply: expect.any(String) }),
    ),
  )
  expect(readdirSync(directory).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('stopping lets a mail on its way arrive', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  await saveEnquiry(site)
  await expect.poll(() => states(site)).toContain('sending')
  await site.context.outbox.stop()
  expect(states(site)).not.toContain('sending')
  expect(states(site).filter((state) => state === 'sent')).toHaveLength(smtp.mails.length)
})

test('the log names neither recipient nor text when a mail is refused', async () => {
  await using it = await withTicket({ recipient: 550 })
  await settled(it.site)
  const log = it.site.logLines().join('')
  expect(log).toContain('mail not sent')
  expect(log).not.toMatch(/aino@example\.com|photographers/)
})
