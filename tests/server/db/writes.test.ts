import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transaction } from '#server/db/group-commit.ts'
import { openDatabase } from '#server/db/open.ts'

/** A database with one table of its own. */
async function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-writes-'))
  const db = openDatabase(dataDir)
  await db.commit((tx) => db.prepareWrite('CREATE TABLE numbers (n INTEGER)').run(tx))
  const insert = db.prepareWrite('INSERT INTO numbers VALUES (?)')
  const all = db.prepare('SELECT n FROM numbers ORDER BY n').pluck()
  return {
    db,
    insert,
    numbers: () => all.all(),
    async [Symbol.asyncDispose]() {
      await db.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

test('writing without a transaction does not compile', async () => {
  await using it = await open()
  const { db, insert } = it
  // @ts-expect-error a statement for reading has no run
  expect(() => db.prepare('SELECT 1').run()).toThrow()
  // @ts-expect-error a statement for writing asks for the transaction
  expect(() => insert.run(1)).toThrow()
  // @ts-expect-error a transaction cannot be made by hand
  expect(() => insert.run({}, 1)).toThrow('ended')
  expect(it.numbers()).toEqual([])
})

test.each([
  'INSERT INTO numbers VALUES (1) RETURNING n',
  'DELETE FROM numbers',
  'BEGIN IMMEDIATE',
  'VACUUM',
  'PRAGMA synchronous = OFF',
])('%s is not prepared for reading', async (sql) => {
  await using it = await open()
  expect(() => it.db.prepare(sql)).toThrow('isn’t read-only')
})

test('a transaction is worth nothing after its work', async () => {
  await using it = await open()
  let kept: Transaction | null = null
  await it.db.commit((tx) => {
    kept = tx
    it.insert.run(tx, 1)
  })
  expect(() => it.insert.run(kept!, 2)).toThrow('ended')
  await it.db.commit(() => {
    expect(() => it.insert.run(kept!, 3)).toThrow('ended')
  })
  expect(it.numbers()).toEqual([1])
})

test('work that waits for something is refused, with all that it wrote', async () => {
  await using it = await open()
  const work = it.db.commit(async (tx) => {
    it.insert.run(tx, 1)
    await Promise.resolve()
    it.insert.run(tx, 2)
  })
  await expect(work).rejects.toThrow('asynchronous')
  expect(it.numbers()).toEqual([])
})

test('a failing write is rolled back alone in a shared transaction', async () => {
  await using it = await open()
  const results = await Promise.allSettled([
    it.db.commit((tx) => it.insert.run(tx, 1)),
    it.db.commit((tx) => {
      it.insert.run(tx, 2)
      throw new Error('changed my mind')
    }),
    it.db.commit((tx) => it.insert.run(tx, 3), { durable: false }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(it.numbers()).toEqual([1, 3])
})

test('much work at once is spread over several turns of the event loop', async () => {
  await using it = await open()
  const order: string[] = []
  const slow = () => {
    const until = performance.now() + 15
    while (performance.now() < until);
    order.push('write')
  }
  const writes = Array.from({ length: 6 }, () => it.db.commit(slow))
  setImmediate(() => setImmediate(() => order.push('something else')))
  await Promise.all(writes)
  expect(order.indexOf('something else')).toBeGreaterThan(0)
  expect(order.indexOf('something else')).toBeLessThan(6)
})

test('closing waits for what was taken, and takes nothing more', async () => {
  const it = await open()
  const write = it.db.commit((tx) => it.insert.run(tx, 1).changes)
  const closed = it[Symbol.asyncDispose]()
  await expect(it.db.commit(() => {})).rejects.toThrow('closed')
  expect(await write).toBe(1)
  await closed
})
