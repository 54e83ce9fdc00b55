import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { databaseFile } from '#server/db/open.ts'
import {
  addClient,
  clientNames,
  emptyDirectory,
  listBackups,
  makeState,
} from '../support/backups.ts'
import { runCli } from '../support/run-cli.ts'

let directory: string
beforeEach(() => void (directory = emptyDirectory()))
afterEach(() => rmSync(directory, { recursive: true }))

const backups = () => join(directory, 'backups')
const files = () => readdirSync(backups())

/** A database with one migration and some rows, and a second migration that waits. */
function withPending() {
  const migrations = join(directory, 'migrations')
  mkdirSync(migrations)
  writeFileSync(join(migrations, '0001-first.sql'), 'CREATE TABLE t (a TEXT)')
  const db = new Database(join(directory, 'test.sqlite'))
  migrate(db, { backups: backups(), directory: migrations })
  db.exec("INSERT INTO t VALUES ('kept')")
  writeFileSync(join(migrations, '0002-second.sql'), 'DROP TABLE t')
  return { db, migrations }
}

test('without room for the copy nothing is migrated, and the message says what is needed', () => {
  const { db, migrations } = withPending()
  const run = () =>
    migrate(db, { backups: backups(), directory: migrations, freeBytes: () => 1_000_000 })
  expect(run).toThrow(
    /Not enough disk space to update the database: .* needs \d+\.\d MB, 1\.0 MB free/,
  )
  expect(db.prepare('SELECT a FROM t').pluck().all()).toEqual(['kept'])
  expect(files()).toEqual([])
  db.close()
})

test('the copy has its name only once it is whole, and what a crash left is cleared away', () => {
  const { db, migrations } = withPending()
  mkdirSync(backups(), { recursive: true })
  const left = `.before-0002-second-${Date.now() - 2 * 3_600_000}.sqlite.part`
  writeFileSync(join(backups(), left), 'half')
  migrate(db, { backups: backups(), directory: migrations })
  expect(files()).toEqual([expect.stringMatching(/^before-0002-second-\d{13}\.sqlite$/)])
  const copy = new Database(join(backups(), files()[0]!), { readonly: true })
  expect(copy.prepare('SELECT a FROM t').pluck().all()).toEqual(['kept'])
  copy.close()
  db.close()
})

test('a copy that fails half way leaves nothing and migrates nothing', () => {
  const { db, migrations } = withPending()
  // A page in the middle that cannot be read.
  db.exec('CREATE TABLE wide (a TEXT)')
  const insert = db.prepare('INSERT INTO wide VALUES (?)')
  for (let count = 0; count < 50; count += 1) insert.run('x'.repeat(4_000))
  db.close()
  const file = join(directory, 'test.sqlite')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xff, 20 * 4096, 30 * 4096))
  const again = new Database(file)
  const run = () => migrate(again, { backups: backups(), directory: migrations })
  expect(run).toThrow(/malformed/)
  expect(files()).toEqual([])
  again.close()
})

test('the copy is listed, checked and restored like a backup, and leaves the files beside it alone', async () => {
  using state = await makeState()
  // As if the last migrations were still to come.
  const database = new Database(databaseFile(state.dataDir))
  const [last] = database
    .prepare('SELECT name FROM migrations ORDER BY number DESC LIMIT 1')
    .pluck()
    .all() as string[]
  mkdirSync(join(state.dataDir, 'backups'), { recursive: true })
  const name = `before-${last}-${Date.UTC(2026, 10, 20)}.sqlite`
  database.prepare('VACUUM INTO ?').run(join(state.dataDir, 'backups', name))
  database.close()
  expect(await listBackups(state)).toMatchObject([{ name, kind: 'before-migration', key: 'no' }])
  const checked = await runCli(['backup', 'check', name], state)
  expect([checked.code, checked.out]).toEqual([
    0,
    expect.stringMatching(/^Backup OK: .*, 1 file\./m),
  ])

  await addClient(state, 'Later')
  state.write('panels/later', 'later')
  const before = state.files()
  const asked = await runCli(['backup', 'restore', name], state)
  expect([asked.code, asked.err]).toEqual([0, ''])
  const done = await runCli(['backup', 'restore', name, '--yes'], state)
  expect([done.code, done.err]).toEqual([0, ''])
  expect(await clientNames(state.dataDir)).toEqual(['Nordic Rally Team'])
  expect(state.files()).toEqual(before)

  // What was set aside is the database alone, and so is what it brings back.
  const [aside] = await listBackups(state)
  expect(aside).toMatchObject({ kind: 'before-restore' })
  expect((await runCli(['backup', 'restore', aside!.name, '--yes'], state)).code).toBe(0)
  expect(await clientNames(state.dataDir)).toEqual(['Later', 'Nordic Rally Team'])
  expect(state.files()).toEqual(before)

  writeFileSync(join(state.dataDir, 'backups', name), 'no database')
  const damaged = await runCli(['backup', 'restore', name, '--yes'], state)
  expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining('The backup is damaged')])
  expect((await runCli(['backup', 'remove', basename(name), '--yes'], state)).code).toBe(0)
  expect((await listBackups(state)).map(({ kind }) => kind)).toEqual([
    'before-restore',
    'before-restore',
  ])
})
