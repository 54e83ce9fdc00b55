import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { startImap } from '../../../support/imap.ts'
import { email, startInbound, type Inbound } from '../../../support/inbound.ts'
import { runCli } from '../../../support/run-cli.ts'
import { startSite, type Site } from '../../../support/site.ts'

const jobOf = (site: Site) => site.context.jobs.find('contact.receive', '')

/** What the doctor says of the mailbox. */
const finding = (site: Site) =>
  site.context
    .contributions()
    .doctor.find(({ check }) => check === 'inbound email')!
    .look()

const answers = ({ site }: Inbound) =>
  site.context.features.contact.tickets
    .messages('abc123')
    .filter(({ author }) => author === 'visitor')
    .map(({ text }) => text)

test('without IMAP_URL there is no job, and the doctor says what that means', async () => {
  await using site = await startSite({ sending: false })
  await site.context.jobs.runDue()
  expect(jobOf(site)).toBeNull()
  expect(finding(site)).toEqual({
    state: 'ok',
    text: 'IMAP_URL isn’t set: email replies stay in your mailbox',
  })
  expect((await site.get('/api/health')).json).not.toHaveProperty('inbox')
})

test('a server that is started reads its mailbox at once', async () => {
  await using imap = await startImap()
  await using site = await startSite({ env: { IMAP_URL: imap.url } })
  await eventually(() => expect(jobOf(site)!.lastSuccessAt).not.toBeNull())
  expect(finding(site)).toEqual({ state: 'ok', text: 'read 2026-11-20T14:00:00.000+02:00' })
  expect((await site.get('/api/health')).json).toMatchObject({ inbox: 'ok' })
})

test('an answer whose mail server dies before it is marked is taken once', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const uid = imap.deliver(email({ 'In-Reply-To': reply }))
  imap.mood = { drop: 'STORE' }
  await receive()
  expect(answers(inbound)).toHaveLength(1)
  expect(imap.flagsOf(uid)).toEqual([])
  expect(jobOf(site)!.lastError).toBe('The server of IMAP_URL has closed the connection.')
  imap.mood = 'serve'
  await receive()
  expect(answers(inbound)).toHaveLength(1)
  expect(imap.flagsOf(uid)).toEqual(['\\Seen'])
  expect(jobOf(site)!.lastError).toBeNull()
})

test('an email that was being read when the connection broke is taken with the next one', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  imap.deliver(email({ 'In-Reply-To': reply }))
  imap.mood = { drop: 'FETCH' }
  await receive()
  expect(answers(inbound)).toEqual([])
  imap.mood = 'serve'
  await receive()
  expect(answers(inbound)).toHaveLength(1)
})

test('a wrong password is named, tried again at growing intervals, and stands nowhere', async () => {
  await using imap = await startImap()
  const IMAP_URL = imap.url.replace('w%40rd', 'w%40rd-s3cr3t')
  await using site = await startSite({ sending: false, env: { IMAP_URL }, logFiles: true })
  const waits: number[] = []
  for (let n = 0; n < 4; n += 1) {
    await site.context.jobs.runDue()
    waits.push((jobOf(site)!.nextAt! - site.clock()) / 60_000)
    site.clock.advance(waits.at(-1)! * 60_000)
  }
  expect(waits).toEqual([1, 5, 15, 60])
  expect(finding(site)).toEqual({
    state: 'fail',
    text: 'The server of IMAP_URL refuses this user and password. Last read: never',
  })
  const health = await site.get('/api/health')
  expect(health.json).toMatchObject({ status: 'degraded', inbox: 'failing' })
  const said = [site.logLines().join(''), jobOf(site)!.lastError, health.text].join('\n')
  expect(said).toContain('refuses this user and password')
  expect(said).not.toMatch(/s3cr3t|p(?: |%20)ss/)
})

test('a server that is silent delays neither pages nor the end of ours', async () => {
  await using imap = await startImap()
  imap.mood = 'silent'
  const site = await startSite({ env: { IMAP_URL: imap.url } })
  await eventually(() => expect(jobOf(site)?.leasedUntil).not.toBeNull())
  const before = performance.now()
  expect((await site.get('/api/health')).status).toBe(200)
  await site[Symbol.asyncDispose]()
  expect(performance.now() - before).toBeLessThan(5_000)
})

test.each([
  ['a server that stops in the middle', { hang: 'SEARCH' }],
  ['a server that takes no login', { hang: 'LOGIN' }],
])('%s is given up after a while', async (_, mood) => {
  await using inbound = await startInbound()
  inbound.imap.mood = mood
  await inbound.receive()
  expect(jobOf(inbound.site)!.lastError).toMatch(/isn’t responding|closed the connection/)
})

test('nobody there, a host without an address, and a server without TLS are told apart', async () => {
  await using imap = await startImap()
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const said: (string | null)[] = []
  for (const IMAP_URL of [
    `imap://user:password@127.0.0.1:${port}`,
    'imap://user:password@nowhere.invalid',
    `imaps://user:password@127.0.0.1:${imap.port}`,
  ]) {
    await using site = await startSite({ sending: false, env: { IMAP_URL } })
    await site.context.jobs.runDue()
    said.push(jobOf(site)!.lastError)
  }
  expect(said).toEqual([
    'The server of IMAP_URL refuses connections.',
    'The host of IMAP_URL can’t be found.',
    expect.stringContaining('No secure connection'),
  ])
})

test('a mailbox with years of unread emails begins with the newest', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  imap.deliver(email({ 'In-Reply-To': reply }, 'Long ago.'))
  for (let n = 0; n < 500; n += 1)
    imap.deliver(email({ From: 'shop@example.org', Subject: 'Offer' }))
  imap.deliver(email({ 'In-Reply-To': reply }, 'Today.'))
  await receive()
  expect(answers(inbound)).toEqual(['Today.'])
  const before = imap.commands.length
  await receive()
  expect(imap.commands.slice(before).filter((each) => each.includes('FETCH'))).toEqual([])
})

test('what waits in the mailbox is listed at the command line', async () => {
  await using inbound = await startInbound()
  const { site, imap, receive } = inbound
  expect((await runCli(['tickets', 'emails'], site)).out).toContain('No emails to read.')
  imap.deliver(email({ Subject: 'A new question' }))
  await receive()
  const { code, out } = await runCli(['tickets', 'emails', '--json'], site)
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    [
      {
        from: 'aino@example.com',
        subject: 'A new question',
        ticket: 'abc123',
        why: 'from someone with a ticket, but isn’t a reply',
      },
    ],
  ])
})
