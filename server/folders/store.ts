import { helsinki } from '#shared/helsinki-time.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { createFileIndex, createFileReader } from './file-store.ts'
import { newKey } from './keys.ts'
import { createSelectionStore } from './selection-store.ts'

/** A shared folder. Times are milliseconds of the epoch. */
export type Folder = {
  readonly id: number
  readonly key: string
  readonly alias: string | null
  /** Below DATA_DIR/folders. */
  readonly directory: string
  readonly title: string
  readonly client: string | null
  readonly season: string | null
  readonly password: string | null
  readonly passwordVersion: number
  /** 1: without a password, it opens by its address also when it stands in a panel. */
  readonly anyone: 0 | 1
  /** 1: files leave with their position, serial numbers and owner. */
  readonly keepLocation: 0 | 1
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly syncedAt: number | null
  readonly downloadsMost: number | null
  readonly downloads: number
  readonly rounds: 'none' | 'one' | 'many'
  readonly fileCount: number
  readonly totalBytes: number
}

/** What staff may change about a folder. */
export type FolderChange = Partial<
  Pick<
    Folder,
    | 'alias'
    | 'title'
    | 'client'
    | 'season'
    | 'password'
    | 'anyone'
    | 'keepLocation'
    | 'expiresAt'
    | 'revokedAt'
    | 'rounds'
  > & { downloadsMost: number | null }
>

/** The folders, their files and what was chosen of them; picks and counts are beside it. */
export type FolderStore = ReturnType<typeof createFolderStore>

/** Prepares all statements of folders; the only place with their SQL, with the parts that it names. */
export function createFolderStore(db: Database, parts: { clock: () => number }) {
  return {
    ...createFolders(db, parts),
    ...createFileReader(db),
    ...createFileIndex(db, parts),
    ...createSelectionStore(db, parts),
  }
}

const folderColumns = `id, key, alias, directory, title, client, season, password,
  password_version AS passwordVersion, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, synced_at AS syncedAt, downloads_most AS downloadsMost, downloads,
  rounds, anyone, keep_location AS keepLocation, file_count AS fileCount, total_bytes AS totalBytes`

/** Prepares the statements of the folders themselves. */
function createFolders(db: Database, { clock }: { clock: () => number }) {
  const insert = db.prepareWrite(`INSERT INTO folders
      (key, directory, title, client, season, created_at, expires_at)
    VALUES (:key, :directory, :title, :client, :season, :now, :expiresAt)`)
  const byKey = db.prepare(`SELECT ${folderColumns} FROM folders WHERE key = :id`)
  const byAlias = db.prepare(`SELECT ${folderColumns} FROM folders WHERE alias = :id`)
  const byDirectory = db.prepare(
    `SELECT ${folderColumns} FROM folders WHERE directory = :directory`,
  )
  const all = db.prepare(`SELECT ${folderColumns} FROM folders ORDER BY id`)
  const update =
    db.prepareWrite(`UPDATE folders SET alias = :alias, title = :title, client = :client,
      season = :season, password = :password,
      password_version = password_version + (password IS NOT :password),
      expires_at = :expiresAt, revoked_at = :revokedAt, downloads_most = :downloadsMost,
      rounds = :rounds, anyone = :anyone, keep_location = :keepLocation
    WHERE id = :id`)
  const expiring = db.prepare(`SELECT ${folderColumns} FROM folders
    WHERE expires_at > :now AND expires_at <= :until AND revoked_at IS NULL ORDER BY expires_at`)

  const get = (id: string) => (byKey.get({ id }) ?? byAlias.get({ id }) ?? null) as Folder | null

  return {
    /** Makes a folder under a key of its own; belongs into a transaction with its first sync. */
    add(
      tx: Transaction,
      folder: {
        directory: string
        title: string
        client: string | null
        season: string | null
        expiresAt: number | null
      },
    ): Folder {
      const key = newKey()
      insert.run(tx, { ...folder, key, now: clock() })
      return get(key)!
    },

    /** A folder by its key or alias. */
    find: get,

    ofDirectory: (directory: string) => (byDirectory.get({ directory }) ?? null) as Folder | null,

    list: () => all.all() as Folder[],

    /**
     * Changes a folder; another password closes what the one before opened.
     * @throws clash when another folder has the alias; invalid for an alias without a password
     */
    change(tx: Transaction, folder: Folder, change: FolderChange): Folder {
      const next = { ...folder, ...change }
      if (next.alias !== null && next.password === null) {
        throw failure('invalid', { message: 'An alias can be guessed, so it needs a password.' })
      }
      const other = next.alias === null ? null : get(next.alias)
      if (other && other.id !== folder.id) {
        throw failure('clash', { message: 'Another folder has this alias.' })
      }
      update.run(tx, next)
      return get(folder.key)!
    },

    /** Open folders that end within so many milliseconds. */
    expiring: (ms: number) => expiring.all({ now: clock(), until: clock() + ms }) as Folder[],
  }
}

/** What has become of a folder. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<Folder, 'expiresAt' | 'revokedAt'>,
  now: number,
): 'open' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open'
}

/** The day in Helsinki that counts belong to. */
export const dayOf = (at: number) => helsinki(at).date
