import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

test('orders keep their state, their lines and whatever else their table has', () => {
  using earlier = databaseBefore('0058')
  const { db } = earlier
  db.exec('ALTER TABLE orders ADD COLUMN another TEXT')
  const insert = db.prepare(`INSERT INTO orders (number, content_hash, state, payment, email, name,
      country, reverse_charge, shipping, total, terms_version, digital_waiver, placed_at, changed_at,
      another)
    VALUES (?, '', ?, 'invoice', 'a@example.com', 'A', 'FI', 0, 0, 1, '1', 0, 1, 1, 'kept')`)
  const states = ['pending', 'open', 'paid', 'shipped', 'cancelled', 'refunded', 'expired']
  for (const [n, state] of states.entries()) insert.run(`A-${n}`, state)
  db.exec(`INSERT INTO invoices (number, kind, "order", reference, issued_on, total, document)
    VALUES (1001, 'invoice', 2, '1', '2026-11-20', 1, '{}')`)
  earlier.migrate()
  const rows = db.prepare('SELECT state, another FROM orders ORDER BY id').all()
  expect(rows).toEqual(states.map((state) => ({ state, another: 'kept' })))
  expect(db.pragma('foreign_key_check')).toEqual([])
  insert.run('A-waiting', 'waiting')
  expect(() => insert.run('A-other', 'anything')).toThrow(/CHECK/)
})
