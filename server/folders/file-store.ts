import type { FileKind } from '#shared/file-kind.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { FoundFile } from './scan.ts'

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
  /**
   * Of what leaves without private metadata, as found by the recipe of this number; null beside a
   * `crc` for a file that cannot be cleaned.
   */
  readonly cleanCrc: number | null
  readonly cleanRecipe: number | null
  readonly poster: string | null
  readonly broken: number
  readonly downloads: number
}

/** What a sync keeps of a file. */
export type IndexedFile = FoundFile &
  Pick<StoredFile, 'width' | 'height' | 'crc' | 'cleanCrc' | 'cleanRecipe'> & {
    /** Of the file that this one was before; null for a new one. */
    id: number | null
  }

const fileColumns = `id, folder, path, section, name, position, kind, type, size, mtime, width,
  height, crc, clean_crc AS cleanCrc, clean_recipe AS cleanRecipe, poster, broken, downloads`

/** Prepares the statements that read the files of folders. */
export function createFileReader(db: Database) {
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

  const uncleanable = `folder = :folder AND crc IS NOT NULL AND clean_crc IS NULL
    AND clean_recipe = :recipe`
  const held = db.prepare(`SELECT path FROM folder_files WHERE ${uncleanable} ORDER BY position`)
  const heldTotal = db.prepare(`SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes
    FROM folder_files WHERE ${uncleanable}`)

  return {
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
    /** The paths of those that cannot be cleaned by a recipe. */
    uncleanable: (folder: number, recipe: number) =>
      (held.all({ folder, recipe }) as { path: string }[]).map(({ path }) => path),
    /** How many those are, and how many bytes. */
    uncleanableTotal: (folder: number, recipe: number) =>
      heldTotal.get({ folder, recipe }) as { count: number; bytes: number },
    /** The first file that there is a picture of. */
    cover: (folder: number) => (cover.get({ folder }) ?? null) as StoredFile | null,
  }
}

/** Prepares the statements that bring the index of files to what is on disk. */
export function createFileIndex(db: Database, { clock }: { clock: () => number }) {
  const present = db.prepare('SELECT id FROM folder_files WHERE folder = :folder').pluck()
  const addFile =
    db.prepareWrite(`INSERT INTO folder_files (folder, path, section, name, position, kind,
      type, size, mtime, width, height, crc, clean_crc, clean_recipe, poster)
    VALUES (:folder, :path, :section, :name, :position, :kind, :type, :size, :mtime, :width,
      :height, :crc, :cleanCrc, :cleanRecipe, :poster)`)
  const changeFile = db.prepareWrite(`UPDATE folder_files SET path = :path, section = :section,
      name = :name, position = :position, kind = :kind, type = :type, size = :size,
      mtime = :mtime, width = :width, height = :height, crc = :crc, clean_crc = :cleanCrc,
      clean_recipe = :cleanRecipe, poster = :poster, broken = 0
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
  const setCrc = db.prepareWrite(`UPDATE folder_files SET crc = :crc, clean_crc = :cleanCrc,
      clean_recipe = :cleanRecipe, size = :size, mtime = :mtime
    WHERE id = :id`)
  const setBroken = db.prepareWrite('UPDATE folder_files SET broken = :broken WHERE id = :id')

  return {
    /** Replaces the index by what is on disk now; belongs into a transaction. */
    index(tx: Transaction, folder: number, found: readonly IndexedFile[]): { removed: number } {
      const kept = new Set(found.map(({ id }) => id))
      const gone = (present.all({ folder }) as number[]).filter((id) => !kept.has(id))
      for (const id of gone) removeFile.run(tx, { id })
      for (const { id } of found) if (id !== null) moveAside.run(tx, { id })
      for (const [position, { id, ...file }] of found.entries()) {
        if (id === null) addFile.run(tx, { ...file, folder, position })
        else changeFile.run(tx, { ...file, id, position })
      }
      summarise.run(tx, { folder, now: clock() })
      return { removed: gone.length }
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
