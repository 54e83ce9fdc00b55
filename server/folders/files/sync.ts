import { realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { failure } from '#shared/failures.ts'
import type { Commit } from '../../db/group-commit.ts'
import { checksums, cleanRecipe } from './checksums.ts'
import { FileGone } from '../../transfers/disk.ts'
import { withheldFiles } from './withheld.ts'
import { scan, type FoundFile } from './scan.ts'
import type { GoneMarked, IndexedFile } from './store.ts'
import type { Favourites } from '../favourites/store.ts'
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
  /** Of the removed files: those that visitors had marked. */
  goneMarked: GoneMarked[]
  /** Paths of files that are shown and not given away. */
  held: string[]
  /** Files that were left as they were, see {@link SyncOptions}; only where that was asked for. */
  unsettled?: number
}

/** What else a sync may be told. */
export type SyncOptions = {
  /**
   * Files that were written after this instant, in milliseconds of the epoch, may still be: a new one
   * waits for a later sync, and one in the index stays there as it was.
   */
  settledBefore?: number
  /** That every file of the index is gone is meant, with the favourites that visitors marked. */
  isGoneMeant?: boolean
}

/** Brings the index of a folder to what is on disk. */
export type Sync = (
  folder: Folder,
  progress?: (done: number, all: number) => void,
  options?: SyncOptions,
) => Promise<SyncResult>

/** How often a sync starts over when another one came in between. */
const maxAttempts = 20

/**
 * Only new and changed files are read, for their checksum and the size and caption of their
 * picture; a file that was renamed or moved keeps its favourites and counts. Several
 * processes may sync a folder at the same time: the one that finds the index changed looks again.
 */
export function createSync({
  store,
  favourites,
  commit,
  root,
}: {
  store: FolderStore
  favourites: Pick<Favourites, 'countOf' | 'keepMarks' | 'giveMarksBack'>
  commit: Commit
  /** DATA_DIR/folders. */
  root: string
}): Sync {
  const attempt = async (
    folder: Folder,
    progress: NonNullable<Parameters<Sync>[1]>,
    { settledBefore, isGoneMeant = false }: SyncOptions,
  ): Promise<SyncResult | null> => {
    const directory = join(root, folder.directory)
    const syncs = store.syncsOf(folder.id)
    if (syncs === null) throw failure('missing', { message: 'The folder has been removed.' })
    const before = { files: store.files(folder.id), syncs }
    const { files, refused } = await scan(directory)
    const stored = storedFiles(before.files)
    const looked: Looked[] = []
    let unsettled = 0
    for (const [done, file] of files.entries()) {
      progress(done, files.length)
      if (done % filesInATurn === filesInATurn - 1) await setImmediate()
      if (await isSettling(join(directory, file.path), file, settledBefore)) {
        unsettled += 1
        const known = stored.replaced({ file })
        if (known) looked.push({ file, known, facts: null, isUnsettled: true })
        continue
      }
      const known = stored.unchanged(file)
      const isRead =
        known !== null &&
        known.crc !== null &&
        known.cleanRecipe === cleanRecipe &&
        (known.caption !== null || file.kind !== 'image')
      looked.push({
        file,
        known,
        facts: isRead ? known : await look(directory, file),
        isUnsettled: false,
      })
    }
    const indexed: IndexedFile[] = []
    let [added, changed] = [0, 0]
    for (const each of withEarlier(looked, stored)) {
      const { file, known, wasUnchanged, facts } = each
      if (each.isUnsettled && known) {
        indexed.push(known)
        continue
      }
      if (!known) added += 1
      else if (!wasUnchanged) changed += 1
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
    if (!isGoneMeant) assertSomeLeft(folder, before.files, indexed)
    const indexing = await commit((tx) => store.index(tx, folder.id, indexed, before, favourites))
    if (indexing === null) return null
    const bytes = indexed.reduce((sum, { size }) => sum + size, 0)
    const held = withheldFiles(store, folder)
    const result = {
      files: indexed.length,
      bytes,
      added,
      changed,
      removed: indexing.removed,
      refused,
      goneMarked: indexing.goneMarked,
      held,
    }
    return settledBefore === undefined ? result : { ...result, unsettled }
  }

  /**
   * A disk that isn't mounted leaves an empty directory, into which uploads may go; the favourites of a
   * season must not end with that.
   * @throws wrong-state when every file is gone and visitors have marked some
   */
  const assertSomeLeft = (
    folder: Folder,
    before: readonly StoredFile[],
    now: readonly IndexedFile[],
  ): void => {
    if (before.length === 0 || now.some(({ id }) => id !== null)) return
    const marked = favourites.countOf(folder.id)
    if (marked === 0) return
    const all = before.length === 1 ? 'Its only file is' : `All its ${before.length} files are`
    throw failure('wrong-state', {
      message: `${folder.title}: ${all} missing from ${join(root, folder.directory)}, and visitors have marked ${marked} of them. Nothing was changed: check that the disk is mounted. If they’re meant to be gone: folders sync ${folder.key} --accept-gone.`,
    })
  }

  return async (folder, progress = () => {}, options = {}) => {
    for (let tries = 0; tries < maxAttempts; tries += 1) {
      const result = await attempt(folder, progress, options)
      if (result) return result
    }
    throw new Error('The folder is being synced by others all the time. Try again later.')
  }
}

/** Known files that are compared before others get their turn. */
const filesInATurn = 500

/**
 * Whether a file may still be written. Its own time may be that of a camera whose clock is ahead, so it
 * counts only where the disk, too, has noted a change since.
 */
async function isSettling(
  path: string,
  { mtime }: FoundFile,
  settledBefore = Infinity,
): Promise<boolean> {
  if (mtime <= settledBefore) return false
  const found = await stat(path).catch(() => null)
  return found === null || found.ctimeMs > settledBefore
}

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

/** A file on disk, its unchanged entry in the index, and what was read of it; null where it can't be read. */
type Looked = {
  file: FoundFile
  known: StoredFile | null
  facts: Pick<StoredFile, 'width' | 'height' | 'crc' | 'cleanCrc' | 'caption'> | null
  /** It may still be written. */
  isUnsettled: boolean
}

/**
 * Finds what each file was before. The bytes say more than the name: a file that was renamed, or moved
 * to another section, keeps its favourites, even where another one has its name now. One with new bytes
 * under its old name, such as a retouched picture, keeps them, too.
 */
function withEarlier(looked: readonly Looked[], stored: ReturnType<typeof storedFiles>) {
  const found = looked.map((each) => ({ ...each, wasUnchanged: each.known !== null }))
  for (const find of [stored.touched, stored.moved, stored.replaced]) {
    for (const each of found) each.known ??= find(each)
  }
  return found
}

/** Known files; each is found once. */
function storedFiles(files: readonly StoredFile[]) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const byNfc = new Map(files.map((file) => [file.path.normalize('NFC'), file]))
  const bytesOf = (kind: string, size: number, crc: number | null) =>
    crc === null || size === 0 ? null : `${kind} ${size} ${crc}`
  const byBytes = Map.groupBy(files, ({ kind, size, crc }) => bytesOf(kind, size, crc))
  const used = new Set<number>()
  const take = (file: StoredFile | null | undefined): StoredFile | null => {
    if (!file || used.has(file.id)) return null
    used.add(file.id)
    return file
  }
  // By its path, else by the path in one way of writing accents.
  const ofPath = ({ path }: FoundFile) =>
    byPath.get(path) ?? byNfc.get(path.normalize('NFC')) ?? null
  const ofBytes = ({ file, facts }: Looked): readonly StoredFile[] => {
    const bytes = facts && bytesOf(file.kind, file.size, facts.crc)
    return bytes === null ? [] : (byBytes.get(bytes) ?? [])
  }

  return {
    /** The one with its path, if neither size nor time has changed. */
    unchanged(file: FoundFile): StoredFile | null {
      const before = ofPath(file)
      const isSame = before?.size === file.size && before.mtime === file.mtime
      return isSame ? take(before) : null
    },
    /** The one with its path and the same bytes. */
    touched(looked: Looked): StoredFile | null {
      const before = ofPath(looked.file)
      return before && ofBytes(looked).includes(before) ? take(before) : null
    },
    /** One with the same bytes and another path. */
    moved: (looked: Looked): StoredFile | null =>
      take(ofBytes(looked).find(({ id }) => !used.has(id))),
    /** The one with its path and other bytes. */
    replaced: ({ file }: Pick<Looked, 'file'>): StoredFile | null => take(ofPath(file)),
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
