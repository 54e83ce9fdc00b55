import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

const mail = (key: string, kind: string, data: object | null, reference: string | null = null) => ({
  key: `${key}:${kind}`,
  kind,
  data: data && JSON.stringify(data),
  reference,
})

test('mails, reminders and issues that are there lose nothing when their keys become columns', () => {
  using earlier = databaseBefore('0100')
  const { db } = earlier
  const insert = db.prepare(`INSERT INTO mails (kind, dedupe_key, reference, data, status,
      queued_at, message_id)
    VALUES (:kind, :key, :reference, :data, 'sent', 1, 'a@example.com')`)
  for (const row of [
    mail('abc123', 'notice', null, 'abc123'),
    mail('order-A-1-0', 'orderPlaced', { order: 'A-1', invoice: null }),
    mail('booking-B-7-2', 'bookingConfirmed', { reference: 'B-7', state: 'confirmed' }),
    mail('issue/finale:4', 'newsletterIssue', { slug: 'finale', subscriber: 4 }),
    mail('trial/finale:1', 'newsletterIssue', { slug: 'trial:finale', test: 'a@example.com' }),
    mail('digest-1', 'staffDigest', { lines: [] }),
  ]) {
    insert.run(row)
  }
  db.exec(`INSERT INTO jobs (kind, key, due_at, next_at) VALUES
      ('bookings.remind-visitor', 'B-7/3', 5, 5), ('bookings.remind-staff', 'B-8', 5, 5),
      ('bookings.expire', 'B-8', 5, 5);
    INSERT INTO newsletter_issues VALUES ('finale', 1, '{}'), ('trial:finale', 2, '{"a":1}');`)
  earlier.migrate()
  const things = db.prepare('SELECT thing, thing_id FROM mails ORDER BY id').raw().all()
  expect(things).toEqual([
    ['ticket', 'abc123'],
    ['order', 'A-1'],
    ['booking', 'B-7'],
    ['issue', 'finale'],
    [null, null],
    [null, null],
  ])
  expect(db.prepare('SELECT data FROM mails WHERE id = 5').pluck().get()).toBe(
    '{"slug":"finale","test":"a@example.com"}',
  )
  expect(db.prepare('SELECT key, data FROM jobs ORDER BY id').raw().all()).toEqual([
    ['B-7/3', '{"reference":"B-7"}'],
    ['B-8', '{"reference":"B-8"}'],
    ['B-8', null],
  ])
  expect(db.prepare('SELECT * FROM newsletter_issues ORDER BY is_trial').raw().all()).toEqual([
    ['finale', 0, 1, '{}'],
    ['finale', 1, 2, '{"a":1}'],
  ])
})
