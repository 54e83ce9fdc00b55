import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

test('what was sold at the reduced rate and is a printed book at the customs gets the class of books', () => {
  using earlier = databaseBefore('0250')
  const { db } = earlier
  const insert = db.prepare(`INSERT INTO products (handle, title, kind, category, summary,
      description, vat, published, tags, pictures, made_to_order, created_at, changed_at, customs)
    VALUES (?, 'A', 'physical', 'prints', '', '', ?, 1, '[]', '[]', 0, 1, 1, ?)`)
  const customs = (code: string) => JSON.stringify({ code, origin: 'FI' })
  insert.run('book', 'reduced', customs('490199'))
  insert.run('calendar', 'reduced', customs('491000'))
  insert.run('unknown', 'reduced', null)
  insert.run('print', 'standard', customs('490199'))
  insert.run('magazine', 'low', null)
  db.exec("INSERT INTO product_handles (handle, product) VALUES ('earlier', 1)")
  earlier.migrate()
  expect(db.prepare('SELECT handle, vat FROM products ORDER BY id').all()).toEqual([
    { handle: 'book', vat: 'book' },
    { handle: 'calendar', vat: 'reduced' },
    { handle: 'unknown', vat: 'reduced' },
    { handle: 'print', vat: 'standard' },
    { handle: 'magazine', vat: 'low' },
  ])
  expect(db.prepare('SELECT handle FROM product_handles').all()).toEqual([{ handle: 'earlier' }])
  expect(() => insert.run('other', 'anything', null)).toThrow(/CHECK/)
})
