import { realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { failure } from '#shared/failures.ts'
import type { Commit } from '../../db/group-commit.ts'
import { checksums, cleanRecipe } from './checksums.ts'
import { FileGone } from '../../transfers/disk.ts'
import { withheldFiles } from './withheld.ts'
import { scan, type FoundFile } from './scan.ts'
import type { IndexedFile } from './store.ts'
import type { FolderStore } from '../store.ts'
import { readPicture } from './previews.ts'
import type { Folder, StoredFile } from '../schema.ts'

/** What a sync did. */
export type SyncResult = {
  files: number
  bytes: number
  added: number
  changed: number
  removed: number
  refused: { path: string; why: string }[]
  /** Paths of files that are shown and not given away. */
  held: string[]
}

/** Brings the index of a folder to what is on disk. */
export type Sync = (
  folder: Folder,
  progress?: (done: number, all: number) => void,
) => Promise<SyncResult>

/** How often a sync starts over when another one came in between. */
const maxAttempts = 20

/**
 * Only new and changed files are read, for their checksum and the size and caption of their
 * picture; a file that changed only the way its name is written keeps its picks and counts. Several
 * processes may sync a folder at the same time: the one that finds the index changed looks again.
 */
export function createSync({
  store,
  commit,
  root,
}: {
  store: FolderStore
  commit: Commit
  /** DATA_DIR/folders. */
  root: string
}): Sync {
  const attempt = async (
    folder: Folder,
    progress: NonNullable<Parameters<Sync>[1]>,
  ): Promise<SyncResult | null> => {
    const directory = join(root, folder.directory)
    const syncs = store.syncsOf(folder.id)
    if (syncs === null) throw failure('missing', { message: 'The folder has been removed.' })
    const before = { files: store.files(folder.id), syncs }
    const { files, refused } = await scan(directory)
    const match = matcher(before.files)
    const indexed: IndexedFile[] = []
    let [added, changed] = [0, 0]
    for (const [done, file] of files.entries()) {
      progress(done, files.length)
      if (done % filesInATurn === filesInATurn - 1) await setImmediate()
      const known = match(file)
      const same = known && known.size === file.size && known.mtime === file.mtime
      if (!known) added += 1
      else if (!same) changed += 1
      const isRead =
        same &&
        known.crc !== null &&
        known.cleanRecipe === cleanRecipe &&
        (known.caption !== null || file.kind !== 'image')
      const facts = isRead ? known : await look(directory, file)
      if (facts === null) {
        refused.push({ path: file.path, why: 'unreadable' })
        // What was picked of it must outlast a disk that fails for a while.
        if (known) indexed.push({ ...known, ...file, crc: null, cleanCrc: null })
      } else {
        const { width, height, crc, cleanCrc, caption } = facts
        const sums = { crc, cleanCrc, cleanRecipe }
        indexed.push({ ...file, ...sums, id: known?.id ?? null, width, height, caption })
      }
    }
    const indexing = await commit((tx) => store.index(tx, folder.id, indexed, before))
    if (indexing === null) return null
    const bytes = indexed.reduce((sum, { size }) => sum + size, 0)
    const held = withheldFiles(store, folder)
    const { removed } = indexing
    return { files: indexed.length, bytes, added, changed, removed, refused, held }
  }

  return async (folder, progress = () => {}) => {
    for (let tries = 0; tries < maxAttempts; tries += 1) {
      const result = await attempt(folder, progress)
      if (result) return result
    }
    throw new Error('The folder is being synced by others all the time. Try again later.')
  }
}

/** Known files that are compared before others get their turn. */
const filesInATurn = 500

/** Reads a file once: its checksums, and size and caption of its picture or poster. */
async function look(directory: string, file: FoundFile) {
  try {
    const sums = await checksums(directory, file, file)
    const path = file.kind === 'image' ? file.path : file.poster
    const picture = path === null ? null : await readPicture(join(directory, path))
    return {
      ...sums,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      caption: picture?.caption ?? '',
    }
  } catch (error) {
    if (error instanceof FileGone) return null
    throw error
  }
}

/** Finds what a file was before: by its path, else by the path in one way of writing accents. */
function matcher(stored: readonly StoredFile[]) {
  const byPath = new Map(stored.map((file) => [file.path, file]))
  const byNfc = new Map(stored.map((file) => [file.path.normalize('NFC'), file]))
  const used = new Set<number>()
  return (file: FoundFile): StoredFile | null => {
    const before = byPath.get(file.path) ?? byNfc.get(file.path.normalize('NFC')) ?? null
    if (!before || used.has(before.id)) return null
    used.add(before.id)
    return before
  }
}

/**
 * The name below DATA_DIR/folders of what staff call a folder's directory.
 * @param given a name below it, or any path that leads there
 * @param root DATA_DIR/folders
 * @throws with a sentence when there is no such directory, or when it lies elsewhere
 */
export async function directoryName(given: string, root: string): Promise<string> {
  // Before the first folder is shared there is no such directory either.
  const base = await realpath(root).catch(() => resolve(root))
  for (const candidate of [resolve(root, given), resolve(given)]) {
    const found = await realpath(candidate).catch(() => null)
    if (found === null || !(await stat(found)).isDirectory()) continue
    if (found.startsWith(base + sep)) return found.slice(base.length + 1).replaceAll(sep, '/')
    throw new Error(`The directory must be inside ${root}; copy or move it there.`)
  }
  throw new Error(`Directory not found in ${root}: ${given}.`)
}
