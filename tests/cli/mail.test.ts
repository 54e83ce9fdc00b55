import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'
import { startSmtp } from '../support/smtp.ts'

test('failed mails are listed with the last word of the server, and sent again on demand', async () => {
  await using smtp = await startSmtp()
  smtp.mood = { recipient: 550 }
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  site.clock.advance(Date.now() - site.clock() + 60_000)
  await saveEnquiry(site)
  await settled(site)

  const listed = await runCli(['mail', 'list', '--failed', '--json'], site)
  // A digest that says so may have been tried by now, and failed as well.
  const failed = (JSON.parse(listed.out) as { ticketId: string | null }[]).filter(
    ({ ticketId }) => ticketId === 'abc123',
  )
  expect(failed).toMatchObject([
    { id: 1, kind: 'confirmation', status: 'failed', ticketId: 'abc123', attempts: 1 },
    { id: 2, kind: 'notice', status: 'failed', ticketId: 'abc123', attempts: 1 },
  ])
  expect((await runCli(['mail', 'show', '1'], site)).out).toMatch(/lastReply: .*550/)
  // Whom it was for, and what about, is in the list as it is at the desk.
  expect(failed[0]).toMatchObject({ thing: 'ticket', thingId: 'abc123', to: 'aino@example.com' })
  const table = (await runCli(['mail', 'list', '--kind', 'confirmation'], site)).out
  expect(table).toMatch(/^id +kind +status +about +to +attempts /)
  expect(table).toContain('ticket abc123  aino@example.com')

  smtp.mood = 'take'
  expect((await runCli(['mail', 'retry', '1'], site)).out).toContain('1 email queued')
  // Besides the digest, which may be due by now.
  const arrived = () =>
    smtp.mails.filter(({ subject }) => !subject.startsWith('Waiting for you')).length
  await expect.poll(arrived).toBe(1)
  expect((await runCli(['mail', 'retry', '--failed'], site)).out).toMatch(/emails? queued/)
  await expect.poll(arrived).toBe(2)
  await settled(site)
  expect((await runCli(['mail', 'list', '--failed'], site)).out).toBe('No emails found.\n')
  expect((await runCli(['mail', 'list', '--status', 'sent'], site)).out).toContain('confirmation')
})

test('a failed email that was dealt with another way leaves the list, and why it failed stays', async () => {
  await using smtp = await startSmtp()
  smtp.mood = { recipient: 550 }
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  site.clock.advance(Date.now() - site.clock() + 60_000)
  await saveEnquiry(site)
  await settled(site)
  expect((await runCli(['mail', 'dismiss', '1'], site)).out).toBe(
    'Email 1 is off the list of failed emails.\n',
  )
  expect((await runCli(['mail', 'list', '--failed'], site)).out).not.toMatch(/^1 /m)
  expect((await runCli(['mail', 'show', '1'], site)).out).toMatch(/lastReply: .*550/)
  for (const id of ['1', '99', 'x']) {
    const { code, err } = await runCli(['mail', 'dismiss', id], site)
    expect([code, err]).toEqual([1, `No failed email: ${id}.\n`])
  }
})

test('a sent mail is not sent again', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await settled(site)
  const { code, err } = await runCli(['mail', 'retry', '1'], site)
  expect(code).toBe(1)
  expect(err).toBe('No failed or queued email: 1.\n')
  expect((await runCli(['mail', 'retry', 'all'], site)).code).toBe(0)
  expect((await runCli(['mail', 'retry'], site)).code).toBe(2)
  expect((await runCli(['mail', 'show', '99'], site)).code).toBe(1)
})

const checks = async (dataDir: string, env: Record<string, string> = {}) => {
  const { code, out } = await runCli(['doctor', '--json'], { dataDir, env })
  const findings = JSON.parse(out) as { check: string; state: string; text: string }[]
  return { code, of: (name: string) => findings.find(({ check }) => check === name) }
}

test('the doctor finds a sound site sound', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite()
  const { code, of } = await checks(site.dataDir, { SMTP_URL: smtp.url })
  expect(code).toBe(0)
  for (const name of [
    'configuration',
    'disk',
    'database',
    'secret key',
    'tickets',
    'outbox',
    'mail server',
  ]) {
    expect(of(name)).toMatchObject({ state: 'ok' })
  }
})

test('the doctor names what is wrong and fails', async () => {
  await using site = await startSite()
  chmodSync(join(site.dataDir, 'secret-key'), 0o644)
  const { code, of } = await checks(site.dataDir, { SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(code).toBe(1)
  expect(of('secret key')).toMatchObject({ state: 'fail', text: expect.stringContaining('644') })
  expect(of('mail server')).toMatchObject({ state: 'fail' })
})

test('the doctor lists every problem of the configuration', async () => {
  await using site = await startSite()
  const { code, of } = await checks(site.dataDir, { PORT: 'abc', SMTP_URL: 'http://x' })
  expect(code).toBe(1)
  expect(of('configuration')?.text).toMatch(/PORT[^]*SMTP_URL/)
})

test('emails that wait for their next attempt go at once when staff say that the mail server works', async () => {
  await using smtp = await startSmtp()
  smtp.mood = { sender: 550, says: 'sender rejected' }
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  site.clock.advance(Date.now() - site.clock() + 60_000)
  await saveEnquiry(site)
  await settled(site)
  const ofTicket = () =>
    site.context.mails.of('ticket', 'abc123').map(({ status, attempts }) => [status, attempts])
  expect(ofTicket()).toEqual([
    ['queued', 1],
    ['queued', 1],
  ])
  smtp.mood = 'take'
  expect((await runCli(['mail', 'retry', '--failed'], site)).out).toContain('0 emails queued')
  expect((await runCli(['mail', 'retry', '--waiting'], site)).out).toMatch(/[23] emails queued/)
  await expect.poll(() => ofTicket().map(([status]) => status)).toEqual(['sent', 'sent'])
  for (const words of [[], ['1', '--waiting'], ['--failed', '--waiting']]) {
    const { code, err } = await runCli(['mail', 'retry', ...words], site)
    expect([code, err.includes('--failed or --waiting')]).toEqual([2, true])
  }
})
