import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { databaseFile } from '#server/db/open.ts'
import { enquiry, mailCalls, saveEnquiry } from '../support/enquiry.ts'
import { runSql } from '../support/raw-database.ts'
import { startSite, type Site } from '../support/site.ts'

const day = 86_400_000
const id = (n: number) => n.toString(36).padStart(6, '0')

/** A notice for a ticket that never comes, with so much text. */
const notice = (n: number, bytes = 0) => ({
  ...mailCalls(enquiry({ 'Ticket ID': id(n) })).notice,
  htmlContent: `<p>${'x'.repeat(bytes)}</p>`,
})

const call = (site: Site, body: unknown, from = '127.0.0.1') =>
  site.post('/api/send-email', body, { from })

const kept = (site: Site) =>
  site.context.db
    .prepare(
      'SELECT count(*) AS calls, coalesce(sum(octet_length(data)), 0) AS bytes FROM mail_calls',
    )
    .get() as { calls: number; bytes: number }

test('one address cannot fill the disk: its text has a ceiling, and the answer says so', async () => {
  await using site = await startSite({ sending: false })
  const replies = []
  for (let n = 0; n < 60; n += 1) replies.push(await call(site, notice(n, 60_000)))
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(40)
  expect(refused[0]?.json).toMatchObject({ success: false, code: 'too-many' })
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(kept(site).bytes).toBeLessThan(1024 * 1024 + 1)
  // Neither another visitor nor the ticket itself is affected.
  expect((await call(site, notice(99), '127.0.0.2')).status).toBe(202)
  expect((await saveEnquiry(site)).status).toBe(201)
})

test('many small calls of one address have a ceiling, too', async () => {
  await using site = await startSite({ sending: false })
  const statuses = []
  for (let n = 0; n < 80; n += 1) statuses.push((await call(site, notice(n))).status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(60)
  expect(kept(site).calls).toBe(60)
})

test('a call whose ticket is there needs no room, and the same call again is the same', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 60; n += 1) await call(site, notice(n))
  const other = { from: '127.0.0.2' }
  await saveEnquiry(site, {}, other)
  expect((await call(site, mailCalls().notice)).status).toBe(202)
  expect((await call(site, notice(3))).status).toBe(202)
  expect(kept(site).calls).toBe(61)
})

test('all addresses together cannot fill the disk either', async () => {
  await using site = await startSite({ sending: false })
  let [taken, refused] = [0, 0]
  for (let host = 1; host <= 24; host += 1) {
    for (let n = 0; n < 18; n += 1) {
      const { status } = await call(site, notice(host * 100 + n, 60_000), `127.0.3.${host}`)
      if (status === 202) taken += 1
      else refused += 1
    }
  }
  expect(taken).toBeGreaterThan(300)
  expect(refused).toBeGreaterThan(0)
  expect(kept(site).bytes).toBeLessThan(20 * 1024 * 1024 + 1)
  expect(statSync(databaseFile(site.dataDir)).size).toBeLessThan(40 * 1024 * 1024)
})

test('mail calls are forgotten after a month', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  await call(site, mailCalls().notice)
  await call(site, mailCalls(enquiry({ 'Ticket ID': 'zzzzzz' })).confirmation)
  for (let n = 0; n < 8; n += 1) await call(site, notice(n))
  site.clock.advance(11 * 60_000)
  const outcomes = () =>
    site.context.db
      .prepare('SELECT DISTINCT outcome FROM mail_calls ORDER BY outcome')
      .pluck()
      .all()
  await expect.poll(outcomes).toEqual(['delivered', 'held', 'matched', 'unmatched'])
  site.clock.advance(31 * day)
  await expect.poll(() => kept(site).calls).toBe(0)
})

test('a notice is passed on although one with its number was, long ago', async () => {
  await using site = await startSite()
  const delivered = () => site.context.mails.list().filter(({ kind }) => kind === 'recordMissing')
  await call(site, notice(1))
  site.clock.advance(11 * 60_000)
  await expect.poll(() => delivered().length).toBe(1)
  site.clock.advance(31 * day)
  await expect.poll(() => kept(site).calls).toBe(0)
  await call(site, notice(2))
  site.clock.advance(11 * 60_000)
  await expect.poll(() => delivered().length).toBe(2)
})

test('counting what is held reads none of its text', async () => {
  await using site = await startSite({ sending: false })
  const plan = site.context.db
    .prepare("EXPLAIN QUERY PLAN SELECT count(*) FROM mail_calls WHERE outcome = 'held'")
    .all() as { detail: string }[]
  expect(plan.map(({ detail }) => detail).join()).toContain('COVERING INDEX')
  const sum = site.context.db
    .prepare(
      `EXPLAIN QUERY PLAN SELECT count(*), sum(bytes) FROM mail_calls
       WHERE outcome IN ('waiting', 'held') AND network = 'x'`,
    )
    .all() as { detail: string }[]
  expect(sum.map(({ detail }) => detail).join()).toContain('COVERING INDEX')
})

test('one network cannot leave more than a thousand messages a day', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  runSql(
    site.dataDir,
    `INSERT INTO tickets (ticket_id, status, name, email, subject, message, sent_at, received_at,
        due_at, content_hash, network, proven)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT 'n' || i, status, name, email, subject, message, sent_at, received_at, due_at,
       content_hash, network, proven FROM n, tickets WHERE ticket_id = 'abc123'`,
    999,
  )
  const refused = await saveEnquiry(site, { 'Ticket ID': 'more01' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await saveEnquiry(site, { Date: '2026-11-20T12:00:09.000Z' })).json).toMatchObject({
    status: 'repeat',
  })
  site.clock.advance(day)
  expect((await saveEnquiry(site, { 'Ticket ID': 'more01' })).status).toBe(201)
})
