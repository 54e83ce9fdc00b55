import type { Transaction } from '../../db/group-commit.ts'
import { newNumber } from '../../db/numbers.ts'
import type { Database } from '../../db/open.ts'
import { integer, query, text } from '../../db/table.ts'
import { folderFiles, type StoredFile } from '../schema.ts'
import type { Favourites } from '../favourites/store.ts'
import type { FoundFile } from './scan.ts'

/** A file that left, and how many visitors had marked it. */
export type GoneMarked = { path: string; visitors: number }

/** What a sync keeps of a file. */
export type IndexedFile = FoundFile &
  Pick<StoredFile, 'width' | 'height' | 'crc' | 'cleanCrc' | 'cleanRecipe' | 'caption'> & {
    /** Of the file that this one was before; null for a new one. */
    id: number | null
  }

/** Prepares the statements that read the files of folders. */
export function createFileReader(db: Database) {
  const files = folderFiles.select(db, 'WHERE folder = :folder ORDER BY position')
  const one = folderFiles.select(db, 'WHERE folder = :folder AND id = :id')
  const some = folderFiles.select(
    db,
    'WHERE folder = :folder AND id IN (SELECT value FROM json_each(:ids)) ORDER BY position',
  )
  const newer = query(
    db,
    `SELECT id FROM folder_files WHERE folder = :folder AND added_at > :since ORDER BY position`,
    { id: integer() },
  )
  const after = query(
    db,
    `SELECT id FROM folder_files WHERE folder = :folder AND id > :after ORDER BY position`,
    { id: integer() },
  )
  const countAfter = query(
    db,
    `SELECT count(*) AS count, coalesce(sum(kind = 'image'), 0) AS photos,
      coalesce(max(id), 0) AS last FROM folder_files WHERE folder = :folder AND id > :after`,
    { count: integer(), photos: integer(), last: integer() },
  )
  const page = folderFiles.select(
    db,
    'WHERE folder = :folder AND position >= :from AND position < :from + :count ORDER BY position',
  )
  const sections = query(
    db,
    `SELECT section AS name, count(*) AS count, min(position) AS first
    FROM folder_files WHERE folder = :folder GROUP BY section ORDER BY first`,
    { name: text(), count: integer(), first: integer() },
  )
  const cover = folderFiles.select(
    db,
    `WHERE folder = :folder AND broken = 0 AND width IS NOT NULL ORDER BY position LIMIT 1`,
  )

  const unshown = query(
    db,
    `SELECT path FROM folder_files WHERE folder = :folder AND kind = 'image' AND width IS NULL`,
    { path: text() },
  )

  const uncleanable = `folder = :folder AND crc IS NOT NULL AND clean_crc IS NULL
    AND clean_recipe = :recipe`
  const uncleanableFiles = query(
    db,
    `SELECT path FROM folder_files WHERE ${uncleanable} ORDER BY position`,
    { path: text() },
  )
  const withheldTotal = query(
    db,
    `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM folder_files
    WHERE ${uncleanable}`,
    { count: integer(), bytes: integer() },
  )

  return {
    /** All files in the order of the page. */
    files: (folder: number): StoredFile[] => files.all({ folder }),
    file: (folder: number, id: number): StoredFile | null => one.get({ folder, id }),
    /** Those with some ids, in the order of the page; ids of other folders find nothing. */
    some: (folder: number, ids: readonly number[]): StoredFile[] =>
      some.all({ folder, ids: JSON.stringify(ids) }),
    page: (folder: number, from: number, count: number): StoredFile[] =>
      page.all({ folder, from, count }),
    /** The ids of those that came after a moment, in the order of the page. */
    newer: (folder: number, since: number): number[] =>
      newer.all({ folder, since }).map(({ id }) => id),
    /** The ids of those that were added after a file, in the order of the page. */
    after: (folder: number, file: number): number[] =>
      after.all({ folder, after: file }).map(({ id }) => id),
    /** How many were added after a file, how many of them are photos, and the last; 0 for none. */
    countAfter: (folder: number, file: number) => countAfter.get({ folder, after: file })!,
    /** The directories, with the position of the first file of each. */
    sections: (folder: number) => sections.all({ folder }),
    /** The paths of those that cannot be cleaned by a recipe. */
    uncleanable: (folder: number, recipe: number) =>
      uncleanableFiles.all({ folder, recipe }).map(({ path }) => path),
    /** How many those are, and how many bytes. */
    uncleanableTotal: (folder: number, recipe: number) => withheldTotal.get({ folder, recipe })!,
    /** The paths of pictures that can't be shown: too large, or damaged. */
    unshown: (folder: number) => unshown.all({ folder }).map(({ path }) => path),
    /** The first file that there is a picture of. */
    cover: (folder: number): StoredFile | null => cover.get({ folder }),
  }
}

/** Prepares the statements that bring the index of files to what is on disk. */
export function createFileIndex(db: Database, { clock }: { clock: () => number }) {
  const syncsOf = query(db, 'SELECT syncs FROM folders WHERE id = :folder', { syncs: integer() })
  const addFile = folderFiles.insert(db, '', { id: newNumber('folder_files') })
  const changeFile = folderFiles.update(
    db,
    [
      'path',
      'section',
      'name',
      'position',
      'kind',
      'type',
      'size',
      'mtime',
      'width',
      'height',
      'crc',
      'cleanCrc',
      'cleanRecipe',
      'poster',
      'broken',
      'caption',
    ],
    'WHERE id = :id',
  )
  const moveFile = folderFiles.update(db, ['position'], 'WHERE id = :id')
  const removeFile = db.prepareWrite('DELETE FROM folder_files WHERE id = :id')
  // A renamed file may take the path of one that is renamed as well.
  const moveAside = db.prepareWrite(
    "UPDATE folder_files SET path = path || '/' || id WHERE id = :id",
  )
  const summarise = db.prepareWrite(`UPDATE folders SET synced_at = :now, syncs = syncs + 1,
      file_count = (SELECT count(*) FROM folder_files WHERE folder = :folder),
      total_bytes = (SELECT coalesce(sum(size), 0) FROM folder_files WHERE folder = :folder)
    WHERE id = :folder`)
  const setCrc = db.prepareWrite(`UPDATE folder_files SET crc = :crc, clean_crc = :cleanCrc,
      clean_recipe = :cleanRecipe, size = :size, mtime = :mtime
    WHERE id = :id`)
  const setBroken = db.prepareWrite('UPDATE folder_files SET broken = :broken WHERE id = :id')

  return {
    /** How often a folder was synced; null for one that was removed. */
    syncsOf: (folder: number): number | null => syncsOf.get({ folder })?.syncs ?? null,

    /**
     * Brings the index to what is on disk now; rows that say so already aren't written. Call inside a
     * transaction.
     * @param before the index as it was when the disk was looked at, and how often it had been synced
     * @param marks keeps what visitors marked of files that leave
     * @returns what left, with what visitors had marked of it; null when another sync, or the removal of the folder, came in between
     */
    index(
      tx: Transaction,
      folder: number,
      found: readonly IndexedFile[],
      before: { files: readonly StoredFile[]; syncs: number },
      marks: Pick<Favourites, 'keepMarks' | 'giveMarksBack'>,
    ): { removed: number; goneMarked: GoneMarked[] } | null {
      if (syncsOf.get({ folder })?.syncs !== before.syncs) return null
      const kept = new Set(found.map(({ id }) => id))
      const gone = before.files.filter(({ id }) => !kept.has(id))
      const goneMarked = gone
        .map((file) => ({ path: file.path, visitors: marks.keepMarks(tx, file) }))
        .filter(({ visitors }) => visitors > 0)
      for (const { id } of gone) removeFile.run(tx, { id })
      const known = new Map(before.files.map((file) => [file.id, file]))
      for (const { id, path } of found) {
        if (id !== null && known.get(id)!.path !== path) moveAside.run(tx, { id })
      }
      const now = clock()
      for (const [position, { id, ...file }] of found.entries()) {
        const next = { ...file, broken: false }
        if (id === null) addFile(tx, { ...file, folder, position, addedAt: now }, { now })
        else if (!isSame(known.get(id)!, next)) changeFile(tx, { ...next, position }, { id })
        else if (known.get(id)!.position !== position) moveFile(tx, { position }, { id })
      }
      marks.giveMarksBack(tx, folder)
      summarise.run(tx, { folder, now })
      return { removed: gone.length, goneMarked }
    },

    /** Keeps the checksums of a version of a file. */
    keepChecksums: (
      tx: Transaction,
      id: number,
      sums: { crc: number; cleanCrc: number | null; cleanRecipe: number },
      { size, mtime }: { size: number; mtime: number },
    ) => void setCrc.run(tx, { id, ...sums, size, mtime }),

    /** Marks a file that cannot be read, or one that can again. */
    markBroken: (tx: Transaction, id: number, broken: boolean) =>
      void setBroken.run(tx, { id, broken: broken ? 1 : 0 }),
  }
}

/** Whether a row says of a file what a sync found, wherever on the page it is. */
const isSame = (row: StoredFile, found: Partial<StoredFile>): boolean =>
  Object.entries(found).every(([name, value]) => row[name as keyof StoredFile] === value)
