import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'

/** Runs migrations of these names on an empty database; each makes a table. */
function run(...names: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-migrations-'))
  const db = new Database(':memory:')
  try {
    for (const [n, name] of names.entries()) {
      writeFileSync(join(directory, name), `CREATE TABLE t${n} (a)`)
    }
    migrate(db, { backups: join(directory, 'backups'), directory })
    return db.prepare('SELECT name FROM migrations ORDER BY number').pluck().all()
  } finally {
    db.close()
    rmSync(directory, { recursive: true })
  }
}

test('migrations run in the order of their numbers', () => {
  expect(run('0002-more.sql', '0001-contact.sql')).toEqual(['0001-contact', '0002-more'])
})

test.each(['contact.sql', '1-contact.sql', '0001_contact.sql', '0001-contact.SQL', 'notes.txt'])(
  'a file called %s is an error rather than passed over',
  (name) => {
    expect(() => run(name)).toThrow(`${name} is not a migration name`)
  },
)

test('a number that comes twice is an error', () => {
  expect(() => run('0001-contact.sql', '0001-other.sql')).toThrow('have the same number')
})

test('a copy that was cut off is cleared away by a later start, without a migration', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-migrations-'))
  const backups = mkdtempSync(join(tmpdir(), 'pitlane-copies-'))
  const db = new Database(':memory:')
  try {
    writeFileSync(join(directory, '0001-contact.sql'), 'CREATE TABLE t (a)')
    migrate(db, { backups, directory })
    const [old, young] = [Date.now() - 2 * 3_600_000, Date.now()]
    const kept = [`.before-0001-contact-${young}.sqlite.part`, `before-0001-contact-${old}.sqlite`]
    for (const name of [...kept, `.${kept[1]}.part`, `.${kept[1]}.part-journal`]) {
      writeFileSync(join(backups, name), 'a copy')
    }
    migrate(db, { backups, directory })
    expect(readdirSync(backups).toSorted()).toEqual(kept)
  } finally {
    db.close()
    for (const each of [directory, backups]) rmSync(each, { recursive: true })
  }
})

test('those of the site are sound', () => {
  const directory = join(import.meta.dirname, '../../../server/db/migrations')
  expect(run(...readdirSync(directory))).toHaveLength(readdirSync(directory).length)
})
