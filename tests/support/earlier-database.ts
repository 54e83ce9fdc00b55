import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { migrate } from '#server/db/migrate.ts'

const migrations = join(import.meta.dirname, '../../server/db/migrations')

/**
 * An empty database as it was before a migration, to be filled with rows of that time.
 * @param migration its number, such as `0223`
 */
export function databaseBefore(migration: string): Disposable & {
  readonly db: Database.Database
  /** Brings it to what it is today. */
  migrate(): void
} {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-migrations-'))
  const earlier = join(directory, 'earlier')
  mkdirSync(earlier)
  for (const name of readdirSync(migrations).filter((each) => each < migration)) {
    copyFileSync(join(migrations, name), join(earlier, name))
  }
  const db = new Database(join(directory, 'pitlane.sqlite'))
  const backups = join(directory, 'backups')
  db.pragma('foreign_keys = ON')
  migrate(db, { backups, directory: earlier })
  return {
    db,
    migrate: () => migrate(db, { backups }),
    [Symbol.dispose]() {
      db.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
