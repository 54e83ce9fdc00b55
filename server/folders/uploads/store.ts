import type { Transaction } from '../../db/group-commit.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'
import { folderUploads, type Folder, type FolderUpload } from '../schema.ts'

/** Prepares the statements of uploads; the only place with their SQL. */
export function createUploadStore(db: Database) {
  const insert = folderUploads.insert(db)
  const one = folderUploads.select(db, 'WHERE id = :id')
  const latest = folderUploads.select(
    db,
    'WHERE folder = :folder ORDER BY at DESC, started_at DESC, name LIMIT :limit',
  )
  const receiving = query(
    db,
    `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes,
      coalesce(sum(code IS :code), 0) AS own
    FROM folder_uploads WHERE state = 'receiving'`,
    { count: integer(), bytes: integer(), own: integer() },
  )
  const touch = folderUploads.update(db, ['at'], `WHERE id = :id AND state = 'receiving'`)
  const settle = folderUploads.update(
    db,
    ['state', 'result', 'at'],
    `WHERE id = :id AND state = 'receiving'`,
  )
  const remove = db.prepareWrite('DELETE FROM folder_uploads WHERE id = :id')
  const abandoned = folderUploads.select(
    db,
    `WHERE state = 'receiving' AND at < :before ORDER BY at LIMIT ${batchSize}`,
  )
  const forget = db.prepareWrite(`DELETE FROM folder_uploads WHERE id IN (SELECT id
    FROM folder_uploads WHERE state <> 'receiving' AND at < :before LIMIT ${batchSize})`)
  const unsynced = query(
    db,
    `SELECT count(*) AS count FROM folder_uploads
    WHERE folder = :folder AND state = 'added' AND at >= :syncedAt`,
    { count: integer() },
  )
  const mentioning = folderUploads.select(
    db,
    'WHERE mentions(concat_ws(char(10), actor, name, result), :email) ORDER BY at',
  )

  return {
    /** Writes an upload down. Call inside a transaction. */
    add: (tx: Transaction, upload: FolderUpload): void => void insert(tx, upload),
    find: (id: string): FolderUpload | null => one.get({ id }),
    /** The last uploads of a folder, the newest first. */
    latest: (folder: number, limit: number): FolderUpload[] => latest.all({ folder, limit }),
    /** How many are on their way, how many of them with a code, and how many bytes they announced. */
    receiving: (code: number | null) => receiving.get({ code })!,
    /** Notes that something of an upload came. Call inside a transaction. */
    touch: (tx: Transaction, id: string, at: number): void => void touch(tx, { at }, { id }),
    /** Writes down what became of an upload. Call inside a transaction. */
    settle: (
      tx: Transaction,
      id: string,
      became: Pick<FolderUpload, 'state' | 'result' | 'at'>,
    ): void => void settle(tx, became, { id }),
    remove: (tx: Transaction, id: string): void => void remove.run(tx, { id }),
    /** A batch of uploads of which nothing has come since a moment. */
    abandoned: (before: number): FolderUpload[] => abandoned.all({ before }),
    /** Forgets a batch of settled uploads from before a moment. @returns how many */
    forget: (tx: Transaction, before: number): number => forget.run(tx, { before }).changes,
    /** Whether files came into a folder since it was synced. */
    isUnsynced: ({ id, syncedAt }: Pick<Folder, 'id' | 'syncedAt'>): boolean =>
      unsynced.get({ folder: id, syncedAt: syncedAt ?? 0 })!.count > 0,
    /** Uploads that name an email address. */
    mentioning: (email: string): FolderUpload[] => mentioning.all({ email }),
  }
}
