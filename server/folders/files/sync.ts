import { join, resolve, sep } from 'node:path'
import { realpath, stat } from 'node:fs/promises'
import type { Commit } from '../../db/group-commit.ts'
import { checksums, cleanRecipe } from './checksums.ts'
import { FileGone } from '../../transfers/disk.ts'
import { withheldFiles } from './withheld.ts'
import { scan, type FoundFile } from './scan.ts'
import type { IndexedFile } from './store.ts'
import type { FolderStore } from '../store.ts'
import { sizeOf } from './previews.ts'
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

/**
 * Only new and changed files are read, for their checksum and the size of their
 * picture; a file that changed only the way its name is written keeps its picks and counts.
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
  return async (folder, progress = () => {}) => {
    const directory = join(root, folder.directory)
    const { files, refused } = await scan(directory)
    const match = matcher(store.files(folder.id))
    const indexed: IndexedFile[] = []
    let [added, changed] = [0, 0]
    for (const [done, file] of files.entries()) {
      progress(done, files.length)
      const before = match(file)
      const same = before && before.size === file.size && before.mtime === file.mtime
      if (!before) added += 1
      else if (!same) changed += 1
      const isRead = same && before.crc !== null && before.cleanRecipe === cleanRecipe
      const known = isRead ? before : await look(directory, file)
      if (known === null) {
        refused.push({ path: file.path, why: 'unreadable' })
        // What was picked of it must outlast a disk that fails for a while.
        if (before) indexed.push({ ...before, ...file, crc: null, cleanCrc: null })
      } else {
        const { width, height, crc, cleanCrc } = known
        const sums = { crc, cleanCrc, cleanRecipe }
        indexed.push({ ...file, ...sums, id: before?.id ?? null, width, height })
      }
    }
    const { removed } = await commit((tx) => store.index(tx, folder.id, indexed))
    const bytes = indexed.reduce((sum, { size }) => sum + size, 0)
    const held = withheldFiles(store, folder)
    return { files: indexed.length, bytes, added, changed, removed, refused, held }
  }
}

/** Reads a file once: its checksums, and how large its picture or poster is. */
async function look(directory: string, file: FoundFile) {
  try {
    const sums = await checksums(directory, file, file)
    const picture = file.kind === 'image' ? file.path : file.poster
    const size = picture === null ? null : await sizeOf(join(directory, picture))
    return { ...sums, width: size?.width ?? null, height: size?.height ?? null }
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
