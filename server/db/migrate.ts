import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { StartError } from '../start-error.ts'

type Migration = { number: number; name: string; sql: string; checksum: string }

const migrationFiles = join(import.meta.dirname, 'migrations')

/**
 * Runs the numbered SQL files that the database has not seen, each in its own transaction.
 * Before the first of them a copy of a database that holds data is kept in `backups`.
 * @throws StartError when an applied file has changed since, a file is misnamed, or the database comes
 *   from a newer version
 */
export function migrate(
  db: Database,
  {
    backups,
    report = () => {},
    directory = migrationFiles,
  }: { backups: string; report?: (step: string) => void; directory?: string },
): void {
  db.exec(`CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TEXT NOT NULL
  ) STRICT`)
  const known = readMigrations(directory)
  const applied = db
    .prepare('SELECT number, name, checksum FROM migrations ORDER BY number')
    .all() as Migration[]
  for (const { number, name, checksum } of applied) {
    const file = known.find((migration) => migration.number === number)
    if (!file) {
      throw new StartError(
        `The database is newer than this version of Pitlane: it has migration ${name}. Start the newer version, or restore a backup.`,
      )
    }
    if (file.checksum !== checksum) {
      throw new StartError(
        `Migration ${name} has changed since it was applied. Released migrations are never edited; restore the file.`,
      )
    }
  }
  const pending = known.filter(({ number }) => !applied.some((row) => row.number === number))
  if (pending.length === 0) return
  if (applied.length > 0) {
    mkdirSync(backups, { recursive: true })
    const copy = join(backups, `before-${pending[0]!.name}-${Date.now()}.sqlite`)
    db.prepare('VACUUM INTO ?').run(copy)
    report(`kept a copy of the database as ${copy}`)
  }
  const record = db.prepare('INSERT INTO migrations VALUES (?, ?, ?, ?)')
  for (const { number, name, sql, checksum } of pending) {
    db.transaction(() => {
      // Another process may have run it while this one waited for the lock.
      if (db.prepare('SELECT 1 FROM migrations WHERE number = ?').get(number)) return
      db.exec(sql)
      record.run(number, name, checksum, new Date().toISOString())
    }).immediate()
    report(`applied migration ${name}`)
  }
}

/** The number of the newest migration that this version has. */
export const newestMigration = (): number => readMigrations(migrationFiles).at(-1)?.number ?? 0

/** @throws StartError for a name that would be passed over in silence, and for a number that comes twice */
function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).toSorted()
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}-[a-z-]+\.sql$/.test(name)) {
      throw new StartError(`${name} is no name of a migration; 0001-what-it-does.sql is one.`)
    }
    if (name.slice(0, 4) === names[index - 1]?.slice(0, 4)) {
      throw new StartError(`The migrations ${names[index - 1]} and ${name} have the same number.`)
    }
  }
  return names.map((name) => {
    const sql = readFileSync(join(directory, name), 'utf8')
    return {
      number: Number(name.slice(0, 4)),
      name: name.slice(0, -4),
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    }
  })
}
