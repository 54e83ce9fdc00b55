import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { bytesText } from '#shared/text/bytes.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { StartError } from '../start-error.ts'

type Migration = { number: number; name: string; sql: string; checksum: string }

const migrationFiles = join(import.meta.dirname, 'migrations')

/**
 * Runs pending migrations, each in its own transaction. Copies a database with data to `backups`
 * before the first one.
 * @param options `freeBytes` returns the free space of a directory
 * @throws StartError when an applied file has changed since, a file is misnamed, the database comes
 *   from a newer version, or the disk has no room for the copy; then nothing has changed
 */
export function migrate(
  db: Database,
  {
    backups,
    report = () => {},
    directory = migrationFiles,
    freeBytes = freeBytesOf,
  }: {
    backups: string
    report?: (step: string) => void
    directory?: string
    freeBytes?: (directory: string) => number
  },
): void {
  db.exec(`CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TEXT NOT NULL
  ) STRICT`)
  const known = knownMigrations(directory)
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
  clearCutOff(backups)
  const pending = known.filter(({ number }) => !applied.some((row) => row.number === number))
  if (pending.length === 0) return
  if (applied.length > 0) {
    const copy = copyBefore(db, { backups, name: pending[0]!.name, freeBytes })
    report(`database backed up as ${copy}`)
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

/** Minimum free bytes for a migration besides the copy. */
const spareBytes = 16 * 1024 * 1024

/** The name of a complete copy: the first migration after it, and its time. */
export const migrationCopy = /^before-(\d{4}-[a-z-]+)-(\d{13})\.sqlite$/

/** Copies the database; renamed once complete and on disk. @returns the path */
function copyBefore(
  db: Database,
  {
    backups,
    name,
    freeBytes,
  }: { backups: string; name: string; freeBytes: (directory: string) => number },
): string {
  mkdirSync(backups, { recursive: true, mode: 0o700 })
  const needed = databaseBytes(db) + spareBytes
  const free = freeBytes(backups)
  if (free < needed) {
    throw new StartError(
      `Not enough disk space to update the database: its copy in ${backups} needs ${bytesText(needed)}, ${bytesText(free)} free. Nothing has changed. Free some space and start again.`,
    )
  }
  const file = `before-${name}-${Date.now()}.sqlite`
  const part = join(backups, `.${file}.part`)
  try {
    db.prepare('VACUUM INTO ?').run(part)
    // SQLite does not wait for the disk here.
    flush(part)
    renameSync(part, join(backups, file))
    flush(backups)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  return join(backups, file)
}

/**
 * Removes copies that were cut off while they were made, and SQLite's journal beside them. Each holds
 * everything that was in the database, and the next migration may be months away.
 */
function clearCutOff(backups: string): void {
  if (!existsSync(backups)) return
  try {
    for (const left of readdirSync(backups)) {
      // A younger one may be another process's, which starts at the same time.
      const [, madeAt] = /^\.before-.*-(\d{13})\.sqlite\.part(?:-journal)?$/.exec(left) ?? []
      if (Number(madeAt) < Date.now() - hourMs) rmSync(join(backups, left), { force: true })
    }
  } catch {
    // A disk for backups that can't be read or written is no reason not to start; doctor tells of it.
  }
}

/** Size of the database in bytes. */
export function databaseBytes(db: Database): number {
  const number = (pragma: string) => db.pragma(pragma, { simple: true }) as number
  return number('page_count') * number('page_size')
}

/** Free bytes at a directory. */
export function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The newest migration of this version. */
export const newestMigration = (): number => knownMigrations(migrationFiles).at(-1)?.number ?? 0

/** Those of this version, which don't change while it runs; every database that is opened asks for them. */
let own: readonly Migration[] | undefined

const knownMigrations = (directory: string): readonly Migration[] =>
  directory === migrationFiles ? (own ??= readMigrations(directory)) : readMigrations(directory)

/** @throws StartError for a name that would be passed over in silence, and for a number that comes twice */
function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).toSorted()
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}-[a-z-]+\.sql$/.test(name)) {
      throw new StartError(
        `${name} is not a migration name; use a name such as 0001-what-it-does.sql.`,
      )
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
