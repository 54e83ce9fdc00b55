import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

test('card money that had moved to a fee gets its payment back, where there is no doubt which', () => {
  using earlier = databaseBefore('0251')
  const { db } = earlier
  const order =
    db.prepare(`INSERT INTO orders (id, number, secret, content_hash, state, payment, email,
      name, country, reverse_charge, shipping, total, terms_version, digital_waiver, placed_at,
      changed_at, booking)
    VALUES (?, ?, ?, '', 'paid', 'invoice', 'a@example.com', 'A', 'FI', 0, 0, 1, '1', 0, 1, 1, ?)`)
  for (const [at, booking] of ['B-1', 'B-1', 'B-2', 'B-2', null].entries()) {
    order.run(at + 1, `A-${at + 1}`, `secret-${at}`, booking)
  }
  const pay = db.prepare(`INSERT INTO payments ("order", source, external_id, amount, paid_on,
      recorded_at, payment_intent) VALUES (?, ?, ?, ?, '2026-11-20', 1, ?)`)
  pay.run(1, 'stripe', 'cs_1', 500, 'pi_1')
  pay.run(1, 'staff', 'to A-2', -500, null)
  pay.run(2, 'staff', 'from A-1', 500, null)
  // Paid in two ways.
  pay.run(3, 'stripe', 'cs_2', 300, 'pi_2')
  pay.run(3, 'bank', null, 200, null)
  pay.run(3, 'staff', 'to A-4', -400, null)
  pay.run(4, 'staff', 'from A-3', 400, null)
  // A note of staff's own.
  pay.run(5, 'staff', 'from A-1', 100, null)
  earlier.migrate()
  expect(db.prepare('SELECT payment_intent FROM payments ORDER BY id').pluck().all()).toEqual([
    'pi_1',
    'pi_1',
    'pi_1',
    'pi_2',
    null,
    null,
    null,
    null,
  ])
})
