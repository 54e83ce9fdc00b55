import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

test('what stood in the names of payments and carts has columns of its own', () => {
  using earlier = databaseBefore('0090')
  const { db } = earlier
  db.exec(`INSERT INTO orders (id, number, cart_key, content_hash, state, payment, email, name,
      country, reverse_charge, shipping, total, terms_version, digital_waiver, placed_at, changed_at)
    VALUES (7, 'A-1', '12/a_b-c', '', 'paid', 'invoice', 'a@example.com', 'A', 'FI', 0, 0, 1, '1', 0, 1, 1),
      (8, 'A-2', NULL, '', 'paid', 'invoice', 'a@example.com', 'A', 'FI', 0, 0, 1, '1', 0, 1, 1)`)
  const told = db.prepare(
    `INSERT INTO payments ("order", source, amount, paid_on, recorded_at) VALUES (7, ?, ?, '2026-11-20', 1)`,
  )
  told.run('stripe/cs_1', 100)
  told.run('staff/A-1/by hand/twice', 200)
  told.run('refund/A-1', -200)
  told.run('bank/20261121/5UTL01/300/10016', 300)
  told.run('bank/20261121/5UTL01/300/10016/2', 300)
  told.run('bank/aGFzaA', 400)
  earlier.migrate()
  expect(db.prepare('SELECT cart, key, "order" FROM cart_orders').all()).toEqual([
    { cart: 12, key: 'a_b-c', order: 7 },
  ])
  expect(
    db.prepare('SELECT source, external_id AS id, amount FROM payments ORDER BY payments.id').all(),
  ).toEqual([
    { source: 'stripe', id: 'cs_1', amount: 100 },
    { source: 'staff', id: 'by hand/twice', amount: 200 },
    { source: 'refund', id: 'whole', amount: -200 },
    { source: 'bank', id: '20261121/5UTL01', amount: 300 },
    { source: 'bank', id: '20261121/5UTL01', amount: 300 },
    { source: 'bank', id: null, amount: 400 },
  ])
  expect(db.pragma('foreign_key_check')).toEqual([])
})
