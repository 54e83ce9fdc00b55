import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

const booking = (n: number, state: string) => `INSERT INTO bookings (reference, key, content_hash,
  state, service, first_date, last_date, place, name, email, requested_at, changed_at, network, proven)
  VALUES ('B-${n}', 'key-${n}', '', '${state}', 'photography', '2027-01-20', '2027-01-20', 'Imatra',
    'Aino', 'aino@example.com', 1, 2, '', 1);`
const order = (
  n: number,
  facts: string,
) => `INSERT INTO orders (number, content_hash, state, payment,
  email, name, country, reverse_charge, shipping, total, terms_version, digital_waiver, placed_at,
  changed_at, paid_at, shipped_at, booking)
  SELECT 'A-${n}', '', 'open', 'invoice', 'aino@example.com', 'Aino', 'FI', 0, 0, 1, '', 0, 1, 2,
    paid_at, shipped_at, booking FROM (SELECT NULL AS paid_at, NULL AS shipped_at, NULL AS booking)
  WHERE 1; UPDATE orders SET ${facts} WHERE number = 'A-${n}';`
const ticket = (id: string, status: string) => `INSERT INTO tickets (ticket_id, status, name, email,
  subject, message, sent_at, received_at, due_at, content_hash, network, proven)
  VALUES ('${id}', '${status}', 'Aino', 'aino@example.com', '', '', '', 1, 2, '', '', 1);`
const inTimeline = (thing: string, id: string, act: string, after: string) =>
  `INSERT INTO timeline (thing, thing_id, at, actor, act, after)
   VALUES ('${thing}', '${id}', 1, 'mika', '${act}', '${after}');`

test('what is there keeps its data, gets a secret of its own, and is shown where staff had answered', () => {
  using earlier = databaseBefore('0045')
  const { db } = earlier
  db.exec(`
    ${booking(1, 'requested')} ${booking(2, 'confirmed')} ${booking(3, 'requested')}
    ${booking(4, 'declined')} ${inTimeline('booking', 'B-3', 'confirmed', 'confirmed')}
    ${order(1, "state = 'open'")} ${order(2, "booking = 'B-2'")} ${order(3, 'paid_at = 3')}
    ${order(4, "paid_at = 3, payment = 'stripe'")} ${order(5, 'shipped_at = 3')}
    ${ticket('new001', 'new')} ${ticket('answer', 'answered')} ${ticket('closed', 'closed')}
    ${ticket('ended1', 'closed')} ${inTimeline('ticket', 'ended1', 'status', 'answered')}
    INSERT INTO subscribers (email, status, leave_token, created_at, since)
      VALUES ('aino@example.com', 'subscribed', 'leave', 1, 1);
    INSERT INTO booking_feed VALUES (1, 7, 1);
  `)
  earlier.migrate()
  const column = (sql: string) => db.prepare(sql).pluck().all()
  const secrets = ['bookings', 'orders', 'subscribers', 'booking_feed'].flatMap((table) =>
    column(`SELECT secret FROM ${table}`),
  )
  expect(new Set(secrets).size).toBe(4 + 5 + 1 + 1)
  for (const secret of secrets) expect(secret).toMatch(/^[\da-f]{32}$/)
  const verified = (table: string, name: string) =>
    column(`SELECT ${name} FROM ${table} WHERE verified_at IS NOT NULL ORDER BY id`)
  expect(verified('bookings', 'reference')).toEqual(['B-2', 'B-3'])
  expect(verified('orders', 'number')).toEqual(['A-2', 'A-3', 'A-5'])
  expect(verified('tickets', 'ticket_id')).toEqual(['answer', 'ended1'])
  expect(column('SELECT leave_token FROM subscribers')).toEqual(['leave'])

  // A number that was spent counts on for the next row.
  db.exec("DELETE FROM bookings WHERE reference = 'B-4'")
  expect(column("SELECT last FROM spent_numbers WHERE name = 'bookings'")).toEqual([4])
  expect(column('PRAGMA integrity_check')).toEqual(['ok'])
})
