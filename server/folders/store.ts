import { helsinki } from '#shared/helsinki-time.ts'
import { failure } from '#shared/failures.ts'
import type { FileKind } from '#shared/folders.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { newKey } from './keys.ts'
import type { FoundFile } from './scan.ts'

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
  /** 1: without a password, whoever has the address gets in, also when it stands in a panel. */
  readonly anyone: 0 | 1
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
    | 'expiresAt'
    | 'revokedAt'
    | 'rounds'
  > & { downloadsMost: number | null }
>

/** A file of a folder. */
export type StoredFile = {
  readonly id: number
  readonly folder: number
  readonly path: string
  readonly section: string
  readonly name: string
  readonly position: number
  readonly kind: FileKind
  readonly type: string
  readonly size: number
  readonly mtime: number
  readonly width: number | null
  readonly height: number | null
  readonly crc: number | null
  readonly poster: string | null
  readonly broken: number
  readonly downloads: number
}

/** What a sync keeps of a file. */
export type IndexedFile = FoundFile &
  Pick<StoredFile, 'width' | 'height' | 'crc'> & {
    /** Of the file that this one was before; null for a new one. */
    id: number | null
  }

/** The folders and their files; the picks and counts are beside it. */
export type FolderStore = ReturnType<typeof createFolderStore>

const folderColumns = `id, key, alias, directory, title, client, season, password,
  password_version AS passwordVersion, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, synced_at AS syncedAt, downloads_most AS downloadsMost, downloads,
  rounds, anyone, file_count AS fileCount, total_bytes AS totalBytes`

const fileColumns = `id, folder, path, section, name, position, kind, type, size, mtime, width,
  height, crc, poster, broken, downloads`

/** Prepares the statements of folders. */
export function createFolderStore(db: Database, { clock }: { clock: () => number }) {
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
      rounds = :rounds, anyone = :anyone
    WHERE id = :id`)
  const files = db.prepare(`SELECT ${fileColumns} FROM folder_files
    WHERE folder = :folder ORDER BY position`)
  const one = db.prepare(`SELECT ${fileColumns} FROM folder_files
    WHERE folder = :folder AND id = :id`)
  const some = db.prepare(`SELECT ${fileColumns} FROM folder_files
    WHERE folder = :folder AND id IN (SELECT value FROM json_each(:ids)) ORDER BY position`)
  const page = db.prepare(`SELECT ${fileColumns} FROM folder_files
    WHERE folder = :folder AND position >= :from AND position < :from + :count ORDER BY position`)
  const sections = db.prepare(`SELECT section AS name, count(*) AS count, min(position) AS first
    FROM folder_files WHERE folder = :folder GROUP BY section ORDER BY first`)
  const cover = db.prepare(`SELECT ${fileColumns} FROM folder_files
    WHERE folder = :folder AND broken = 0 AND width IS NOT NULL
    ORDER BY position LIMIT 1`)
  const addFile =
    db.prepareWrite(`INSERT INTO folder_files (folder, path, section, name, position, kind,
      type, size, mtime, width, height, crc, poster)
    VALUES (:folder, :path, :section, :name, :position, :kind, :type, :size, :mtime, :width,
      :height, :crc, :poster)`)
  const changeFile = db.prepareWrite(`UPDATE folder_files SET path = :path, section = :section,
      name = :name, position = :position, kind = :kind, type = :type, size = :size,
      mtime = :mtime, width = :width, height = :height, crc = :crc, poster = :poster, broken = 0
    WHERE id = :id`)
  const removeFile = db.prepareWrite('DELETE FROM folder_files WHERE id = :id')
  // A renamed file may take the path of one that is renamed as well.
  const moveAside = db.prepareWrite(
    "UPDATE folder_files SET path = path || '/' || id WHERE id = :id",
  )
  const summarise = db.prepareWrite(`UPDATE folders SET synced_at = :now,
      file_count = (SELECT count(*) FROM folder_files WHERE folder = :folder),
      total_bytes = (SELECT coalesce(sum(size), 0) FROM folder_files WHERE folder = :folder)
    WHERE id = :folder`)
  const setCrc = db.prepareWrite(`UPDATE folder_files SET crc = :crc, size = :size, mtime = :mtime
    WHERE id = :id`)
  const setBroken = db.prepareWrite('UPDATE folder_files SET broken = :broken WHERE id = :id')
  const select =
    db.prepareWrite(`INSERT INTO folder_selections VALUES (:folder, :digest, :files, :until)
    ON CONFLICT (folder, digest) DO UPDATE SET expires_at = max(expires_at, :until)`)
  const selected = db
    .prepare(`SELECT files FROM folder_selections
    WHERE folder = :folder AND digest = :digest AND expires_at > :now`)
    .pluck()
  const forgetSelections = db.prepareWrite('DELETE FROM folder_selections WHERE expires_at < :now')
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

    /** All files in the order of the page. */
    files: (folder: number) => files.all({ folder }) as StoredFile[],
    file: (folder: number, id: number) => (one.get({ folder, id }) ?? null) as StoredFile | null,
    /** Those with some ids, in the order of the page; ids of other folders find nothing. */
    some: (folder: number, ids: readonly number[]) =>
      some.all({ folder, ids: JSON.stringify(ids) }) as StoredFile[],
    page: (folder: number, from: number, count: number) =>
      page.all({ folder, from, count }) as StoredFile[],
    /** The directories, with the position of the first file of each. */
    sections: (folder: number) =>
      sections.all({ folder }) as { name: string; count: number; first: number }[],
    /** The first file that there is a picture of. */
    cover: (folder: number) => (cover.get({ folder }) ?? null) as StoredFile | null,

    /** Replaces the index by what is on disk now; belongs into a transaction. */
    index(tx: Transaction, folder: number, found: readonly IndexedFile[]): { removed: number } {
      const kept = new Set(found.map(({ id }) => id))
      const gone = (files.all({ folder }) as StoredFile[]).filter(({ id }) => !kept.has(id))
      for (const { id } of gone) removeFile.run(tx, { id })
      for (const { id } of found) if (id !== null) moveAside.run(tx, { id })
      for (const [position, { id, ...file }] of found.entries()) {
        if (id === null) addFile.run(tx, { ...file, folder, position })
        else changeFile.run(tx, { ...file, id, position })
      }
      summarise.run(tx, { folder, now: clock() })
      return { removed: gone.length }
    },

    /** Keeps the checksum of a version of a file. */
    keepChecksum: (
      tx: Transaction,
      id: number,
      crc: number,
      version: { size: number; mtime: number },
    ) => void setCrc.run(tx, { id, crc, ...version }),

    /** Marks a file that cannot be read, or one that can again. */
    markBroken: (tx: Transaction, id: number, broken: boolean) =>
      void setBroken.run(tx, { id, broken: broken ? 1 : 0 }),

    /** Remembers a choice of files under its digest. */
    keepSelection: (
      tx: Transaction,
      folder: number,
      digest: string,
      ids: readonly number[],
      until: number,
    ) => void select.run(tx, { folder, digest, files: JSON.stringify(ids), until }),

    /** The ids of a remembered choice, or null when its time is over. */
    selection(folder: number, digest: string): number[] | null {
      const kept = selected.get({ folder, digest, now: clock() }) as string | undefined
      return kept === undefined ? null : (JSON.parse(kept) as number[])
    },

    forgetSelections: (tx: Transaction) => void forgetSelections.run(tx, { now: clock() }),

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
