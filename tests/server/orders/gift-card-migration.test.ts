import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

test('payments and payouts are what they were, column by column, once gift cards are among their words', () => {
  using earlier = databaseBefore('0223')
  const { db } = earlier
  const rows = () => ({
    payments: db.prepare('SELECT * FROM payments ORDER BY id').all(),
    payouts: db.prepare('SELECT * FROM payouts ORDER BY id').all(),
  })
  db.exec(`INSERT INTO orders (id, number, content_hash, state, payment, email, name, country,
      reverse_charge, shipping, total, terms_version, digital_waiver, placed_at, changed_at)
    VALUES (7, 'A-1', '', 'paid', 'stripe', 'a@example.com', 'A', 'FI', 0, 0, 900, '1', 0, 1, 1);
    INSERT INTO payments VALUES
      (3, 7, 'stripe', 'cs_1', NULL, 900, '2026-11-20', 11, NULL, 25, 'pi_1'),
      (5, 7, 'bank', 'A1', 'Aino', 400, '2026-11-21', 12, 'FI2112345600000785', NULL, NULL),
      (9, 7, 'refund', '4', NULL, -400, '2026-11-22', 13, NULL, NULL, NULL);
    INSERT INTO payouts VALUES
      (4, 7, 'bank', 400, NULL, 'overpaid', 14, 15, 'FI2112345600000785', 'Aino', 2, NULL, 0, NULL),
      (6, 7, 'stripe', 100, NULL, 'goodwill', 16, NULL, NULL, NULL, NULL,
        '[{"paymentIntent":"pi_1","amount":60}]', 40, 4)`)
  const before = rows()
  earlier.migrate()
  // Later versions have added columns.
  expect(rows()).toMatchObject(before)
  expect(db.pragma('foreign_key_check')).toEqual([])
  // A payment that was told before is still known, and words that there are not are still refused.
  const pay =
    db.prepare(`INSERT INTO payments ("order", source, external_id, amount, paid_on, recorded_at)
    VALUES (7, ?, ?, 1, '2026-11-23', 1)`)
  expect(() => pay.run('stripe', 'cs_1')).toThrow('UNIQUE')
  expect(() => pay.run('voucher', 'x')).toThrow('CHECK')
  pay.run('gift-card', 'G-23456789')
  expect(() => pay.run('gift-card', 'G-23456789')).toThrow('UNIQUE')
})
