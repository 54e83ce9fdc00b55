import { expect, test } from 'vitest'
import { databaseBefore } from '../../support/earlier-database.ts'

test('of those who left the newsletter before, the name goes, and others keep theirs', () => {
  using earlier = databaseBefore('0276')
  const { db } = earlier
  const insert =
    db.prepare(`INSERT INTO subscribers (email, name, status, leave_token, created_at, since)
    VALUES (?, 'Aino', ?, ?, 1, 1)`)
  const states = ['pending', 'subscribed', 'unsubscribed']
  for (const state of states) insert.run(`${state}@example.com`, state, state)
  earlier.migrate()
  expect(db.prepare('SELECT name, status FROM subscribers ORDER BY id').all()).toEqual(
    states.map((status) => ({ name: status === 'unsubscribed' ? '' : 'Aino', status })),
  )
})
