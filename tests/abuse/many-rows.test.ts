import { rmSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { batchSize } from '#server/db/in-batches.ts'
import { databaseFile, openDatabase } from '#server/db/open.ts'
import { createPrint } from '#cli/common/print.ts'
import { emptyDirectory } from '../support/backups.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const day = 86_400_000

/** Writes rows as years of use would leave them. */
function fill(dataDir: string, sql: string): void {
  const db = new Database(databaseFile(dataDir), { timeout: 5_000 })
  db.pragma('synchronous = OFF')
  db.exec(sql)
  db.close()
}

/** Numbers from 1 on as a table named n. */
const numbers = (count: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`

const tickets = (count: number, receivedAt: number) => `
  INSERT INTO tickets (ticket_id, status, name, email, subject, message, sent_at, received_at,
      due_at, content_hash, network, proven)
    ${numbers(count)} SELECT printf('t%05x', i), 'new', 'Aino', printf('a%d@example.com', i),
      'Subject', 'Message', '2024-01-01T00:00:00.000Z', ${receivedAt}, ${receivedAt}, 'h', 'n', 1
    FROM n`

test('a list of 200,000 tickets is printed whole', async () => {
  const dataDir = emptyDirectory()
  await openDatabase(dataDir).close()
  fill(dataDir, tickets(200_000, Date.UTC(2026, 10, 1)))
  const table = await runCli(['tickets', 'list', '--limit', '200000'], {
    dataDir,
    env: { SITE_URL: 'http://localhost' },
  })
  expect([table.code, table.err]).toEqual([0, ''])
  expect(table.out.split('\n')).toHaveLength(200_002)
  rmSync(dataDir, { recursive: true })
})

test('a listing is written row by row, the same JSON as before', async () => {
  const rows = [
    { name: 'a\nb', count: 1 },
    { name: 'ü', count: null },
  ]
  for (const some of [rows, rows.slice(1), []]) {
    const out = new PassThrough()
    createPrint({ out, err: out, env: {} }).listing(some, { json: true, none: '' })
    out.end()
    expect(await text(out)).toBe(`${JSON.stringify(some, null, 2)}\n`)
  }
})

/** Runs a job while something else writes again and again. @returns how often that got its turn */
async function writesDuring({ context }: Site, kind: string): Promise<number> {
  const job = context.contributions().jobs.find((each) => each.kind === kind)!
  const over = new AbortController()
  const signal = AbortSignal.timeout(60_000)
  const run = Promise.resolve(job.run({ kind, key: '', data: null, attempt: 1, dueAt: 0, signal }))
  const ended = run.finally(() => over.abort())
  let writes = 0
  while (!over.signal.aborted) {
    await context.commit(() => {})
    writes += 1
  }
  await ended
  return writes
}

test('what forgets old rows takes them in small batches, and others write in between', async () => {
  await using site = await startSite({ sending: false })
  const old = site.clock() - 6 * 365 * day
  const count = 3_000
  fill(
    site.dataDir,
    `${tickets(count, old)};
    INSERT INTO mails (kind, dedupe_key, reference, status, queued_at, due_at, settled_at, message_id)
      ${numbers(count)} SELECT 'confirmation', printf('t%05x:confirmation', i), printf('t%05x', i),
        'sent', ${old}, NULL, ${old}, printf('%d@example.com', i) FROM n;
    INSERT INTO mails (kind, dedupe_key, status, queued_at, due_at, settled_at, message_id)
      ${numbers(count)} SELECT 'newsletter', printf('n%d:newsletter', i), 'sent', ${old}, NULL, ${old},
        printf('n%d@example.com', i) FROM n;
    INSERT INTO timeline (thing, thing_id, at, actor, act)
      ${numbers(count)} SELECT 'ticket', printf('t%05x', i), ${old}, 'mika', 'note' FROM n;
    INSERT INTO clients (name, panel, created_at) VALUES ('Team', 'team', ${old});
    INSERT INTO codes (client, hash, label, scopes, created_at) VALUES (1, 'h', '', '[]', ${old});
    INSERT INTO sessions (hash, code, created_at, seen_at, expires_at)
      ${numbers(count)} SELECT printf('h%d', i), 1, ${old}, ${old}, ${old} FROM n;
    INSERT INTO client_activity (client, at, kind, detail)
      ${numbers(count)} SELECT 1, ${old}, 'view', '' FROM n;
    INSERT INTO carts (token_hash, changed_at)
      ${numbers(count)} SELECT printf('h%d', i), ${old} FROM n;
    INSERT INTO booking_days (date, service) ${numbers(count)}
      SELECT date('2010-01-01', printf('+%d days', i)), 'photography' FROM n;
    INSERT INTO page_counts (day, page, event, count) ${numbers(count)}
      SELECT date('2010-01-01', printf('+%d days', i)), 'home', 'view', 1 FROM n;`,
  )
  const rows = (table: string) =>
    site.context.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  const turns = count / batchSize
  for (const [kind, tables] of [
    ['contact.forget', ['tickets', 'timeline']],
    ['mail.forget', ['mails']],
    ['clients.forget', ['sessions', 'client_activity']],
    ['shop.forget', ['carts']],
    ['bookings.forget', ['booking_days']],
    ['analytics.forget', ['page_counts']],
  ] as const) {
    for (const table of tables) expect([kind, rows(table)]).not.toEqual([kind, 0])
    expect(await writesDuring(site, kind), kind).toBeGreaterThanOrEqual(turns)
    for (const table of tables) expect([table, rows(table)]).toEqual([table, 0])
  }
})

test('mails of tickets that are gone are forgotten, those of others and those that wait stay', async () => {
  await using site = await startSite({ sending: false })
  const recent = site.clock() - day
  fill(
    site.dataDir,
    `${tickets(300, recent)};
    INSERT INTO mails (kind, dedupe_key, reference, status, queued_at, due_at, settled_at, message_id)
      ${numbers(600)} SELECT 'notice', printf('t%05x:notice', i), printf('t%05x', i), 'sent',
        ${recent}, NULL, ${recent}, printf('%d@example.com', i) FROM n;
    INSERT INTO mails (kind, dedupe_key, reference, status, queued_at, due_at, message_id)
      VALUES ('notice', 'gone:notice', 'gone', 'queued', ${recent}, ${recent}, 'w@example.com')`,
  )
  await writesDuring(site, 'contact.forget')
  const kept = site.context.mails.list()
  expect(kept).toHaveLength(301)
  expect(kept.filter(({ status }) => status === 'queued')).toHaveLength(1)
})

test('what forgets people runs at night', async () => {
  await using site = await startSite({ sending: false })
  const { jobs, personalData } = site.context.contributions()
  const forgetting = new Set(
    personalData.flatMap(({ forgottenBy }) => ('job' in forgottenBy ? [forgottenBy.job] : [])),
  )
  expect(forgetting.size).toBeGreaterThan(5)
  for (const { kind, recurs } of jobs.filter((each) => forgetting.has(each.kind))) {
    const at = recurs && 'daily' in recurs ? recurs.daily : ''
    expect([kind, at >= '01:00' && at <= '05:00']).toEqual([kind, true])
  }
})
