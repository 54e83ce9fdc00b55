import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { plainLine, shortened } from '#shared/text/text.ts'
import { inBatches } from '../../db/in-batches.ts'
import type { Platform } from '../../feature.ts'
import { anyAlphabet, randomId } from '../../secrets/ids.ts'
import type { Sync } from '../files/sync.ts'
import type { Folder, FolderUpload } from '../schema.ts'
import type { FolderStore } from '../store.ts'
import { safeFileName, safeSection, whyNotDelivered, whyNotTaken } from './file-checks.ts'
import { putIntoFolder, removeHalves, type Placed } from './placing.ts'
import { createUploadStore } from './store.ts'

/** Free bytes of the disk that uploads leave to the site. */
const reservedBytes = 1024 ** 3

/** Uploads on their way at the same time: with one code, and in all. */
const maxReceiving = { code: 100, all: 500 }

/** Files of a folder beyond which nothing can be sent to it. */
const maxFiles = 20_000

/** Milliseconds without a byte after which an upload is given up, and for which settled ones are kept. */
const abandonedAfter = dayMs
const keptFor = 30 * dayMs

/** Who sends a file. */
export type Sender = {
  /** For the timeline. */
  actor: string
  /** Of a session at the desk; null at the command line. */
  codeId: number | null
}

/** A file as its sender describes it. */
export type Announced = {
  /** As it's called there, perhaps with a path before it. */
  name: string
  /** Bytes. */
  size: number
  /** Where it's to go in the folder, as a path with slashes; empty for the folder itself. */
  section: string
}

/** The longest name that an upload is listed under, in characters. */
const maxNameLength = 200

/** The name that an upload is listed under: its own, or, if that's too long, the one that its file will get. */
function nameInList(given: string): string {
  const line = plainLine(given)
  const isLong = line.length > maxNameLength
  return (isLong && safeFileName(given)) || shortened(line, maxNameLength) || 'unnamed'
}

/** Files on their way into folders. */
export type Uploads = ReturnType<typeof createUploads>

/**
 * Creates the uploads of staff. They arrive outside of their folder, in DATA_DIR/uploads; once one is
 * whole it's checked, moved into the folder in one step, and the folder is synced, for all files of the
 * same moment at once. Each upload leaves a row that tells what became of it.
 */
export function createUploads(
  {
    db,
    commit,
    clock,
    log,
    timeline,
  }: Pick<Platform, 'db' | 'commit' | 'clock' | 'log' | 'timeline'>,
  { store, sync, root, dataDir }: { store: FolderStore; sync: Sync; root: string; dataDir: string },
) {
  const dir = join(dataDir, 'uploads')
  const rows = createUploadStore(db)
  const syncing = createSyncing({ commit, log, timeline, store, sync })

  /** @throws no-room when the disk hasn't enough for some bytes, what is on its way, and the site */
  const needRoom = async (bytes: number) => {
    await mkdir(dir, { recursive: true })
    await needFree(bytes + rows.receiving(null).bytes)
  }

  /**
   * Something else may have filled the disk since a file was announced.
   * @throws no-room when there is none left for its next piece, and for the site
   */
  const needFree = async (bytes: number) => {
    const { bavail, bsize } = await statfs(dir)
    if (bavail * bsize < bytes + reservedBytes) throw failure('no-room')
  }

  const sectionIn = ({ id }: Folder, given: string) =>
    safeSection(given, given.trim() === '' ? [] : store.sections(id).map(({ name }) => name))

  /** @throws invalid, too-large or no-room for a file that can't be taken, whatever is in it */
  const checkAnnounced = async (folder: Folder, { name: given, size, section }: Announced) => {
    const name = safeFileName(given)
    const refusal =
      name === null
        ? 'Give the file a name that can be shown, then send it again.'
        : whyNotTaken(name)
    if (refusal) throw failure('invalid', { message: refusal })
    if (sectionIn(folder, section) === null) {
      throw failure('invalid', { message: 'Give the section a name that can be shown.' })
    }
    if (!Number.isSafeInteger(size) || size < 1) {
      throw failure('invalid', { message: 'The file is empty.' })
    }
    if (size > uploadLimits.maxFileBytes) {
      throw failure('too-large', { message: 'Files can have up to 8 GB.' })
    }
    if (folder.fileCount >= maxFiles) {
      throw failure('invalid', { message: `A gallery can have up to ${maxFiles} files.` })
    }
    await needRoom(size)
  }

  const rowOf = (
    folder: Folder,
    { name: given, size, section }: Announced,
    { actor, codeId }: Sender,
  ) => ({
    id: randomId(32, anyAlphabet),
    folder: folder.id,
    codeId,
    actor,
    name: nameInList(given),
    section: sectionIn(folder, section) ?? '',
    size,
    state: 'receiving' as const,
    result: null,
    startedAt: clock(),
    at: clock(),
  })

  /** Checks a whole file and puts it into its folder. */
  const place = async (
    folder: Folder,
    staged: string,
    { name: given, section }: Pick<FolderUpload, 'name' | 'section'>,
  ): Promise<Placed> => {
    const name = safeFileName(given)
    const why = name === null ? 'It has no name.' : await whyNotDelivered(staged, name)
    return why
      ? { state: 'refused', why }
      : putIntoFolder(staged, join(root, folder.directory), { name: name!, section })
  }

  const settled = (placed: Placed) => ({
    state: placed.state,
    result: placed.state === 'refused' ? placed.why : placed.path,
    at: clock(),
  })

  const finishing = new Map<string, Promise<Placed>>()

  /** Takes a whole upload into its folder; asked twice, it answers twice. */
  const finish = (upload: FolderUpload): Promise<Placed> => {
    const { id } = upload
    const running = finishing.get(id) ?? finishOnce(id).finally(() => finishing.delete(id))
    finishing.set(id, running)
    return running
  }

  const finishOnce = async (id: string): Promise<Placed> => {
    const upload = rows.find(id)
    const folder = upload && store.byNumber(upload.folder)
    if (!upload || !folder) throw failure('missing')
    const { state, result, actor } = upload
    if (state === 'refused') return { state, why: result! }
    if (state !== 'receiving') return { state, path: result! }
    const placed = await place(folder, join(dir, id), upload)
    // Until this is on record, its sender asks again, and nothing but the file says that it's whole.
    await commit((tx) => rows.settle(tx, id, settled(placed)))
    await removeFiles(id)
    changed(folder, placed, actor)
    return placed
  }

  /** Has a folder synced: also for what was there before, since the gallery may not know of it yet. */
  const changed = (folder: Folder, { state }: Placed, actor: string): void => {
    if (state !== 'refused') syncing.request(folder, state === 'added' ? actor : null)
  }

  const isWhole = async ({ id, size }: FolderUpload) =>
    (await stat(join(dir, id)).catch(() => null))?.size === size

  return {
    /** Where uploads arrive, each under its id. */
    dir,
    find: rows.find,
    latest: rows.latest,
    mentioning: rows.mentioning,
    remove: rows.remove,
    /** Forgets an upload that its sender has taken back. */
    forget: ({ id }: FolderUpload) => commit((tx) => rows.remove(tx, id)),

    /**
     * Announces an upload.
     * @throws invalid for a file of a kind or name that isn't taken; too-large; no-room; too-many and
     *   unavailable while too many are on their way
     */
    async begin(folder: Folder, file: Announced, sender: Sender): Promise<FolderUpload> {
      await checkAnnounced(folder, file)
      return commit((tx) => {
        const { own, count } = rows.receiving(sender.codeId)
        if (own >= maxReceiving.code) throw failure('too-many', { retryAfter: 60 })
        if (count >= maxReceiving.all) throw failure('unavailable', { retryAfter: 60 })
        const upload = rowOf(folder, file, sender)
        rows.add(tx, upload)
        return upload
      })
    },

    /** Deletes an upload whose beginning failed; what became of one that was settled stays. */
    async drop({ id }: FolderUpload): Promise<void> {
      if (rows.find(id)?.state !== 'receiving') return
      await removeFiles(id)
      await commit((tx) => rows.remove(tx, id))
    },

    /** Notes that something of an upload is coming. */
    touch: ({ id }: FolderUpload) =>
      commit((tx) => rows.touch(tx, id, clock()), { durable: false }),

    /** Whether all bytes of an upload are here. */
    isWhole,

    finish,

    /**
     * Takes a whole file that is in {@link dir} into a folder at once; the folder isn't synced yet.
     * @param staged gone afterwards, unless that can't be written down
     */
    async take(
      folder: Folder,
      staged: string,
      file: Omit<Announced, 'size'>,
      sender: Sender,
    ): Promise<Placed> {
      const { size } = await stat(staged)
      const row = rowOf(folder, { ...file, size }, sender)
      const placed = await place(folder, staged, { name: file.name, section: row.section })
      await commit((tx) => rows.add(tx, { ...row, ...settled(placed) }))
      await rm(staged, { force: true })
      return placed
    },

    /** Syncs a folder into which someone has put a file, soon and once for all of them. */
    changed,

    /** Writes down a file that was refused before it was here. */
    refuse: (folder: Folder, file: Announced, why: string, sender: Sender) =>
      commit((tx) =>
        rows.add(tx, {
          ...rowOf(folder, file, sender),
          state: 'refused',
          result: why,
        }),
      ),

    checkAnnounced,
    needRoom,
    needFree,

    /** Waits until a folder shows what was taken into it so far. */
    synced: syncing.done,

    /** Syncs folders into which files were moved just before the server was stopped. */
    resume() {
      for (const folder of store.list()) if (rows.isUnsynced(folder)) syncing.request(folder, null)
    },

    /** Ends uploads that were given up, and finishes those that are whole. */
    async tidy(): Promise<void> {
      for (const upload of rows.abandoned(clock() - abandonedAfter)) {
        if (await isWhole(upload)) await finish(upload)
        else {
          await removeFiles(upload.id)
          await commit((tx) =>
            rows.settle(tx, upload.id, {
              state: 'refused',
              result: 'It was never sent to its end.',
              at: clock(),
            }),
          )
        }
      }
      await removeStrays()
    },

    /** Forgets what became of old uploads, and deletes halves of files that a kill left in folders. */
    async forgetOld(): Promise<void> {
      await inBatches(commit, (tx) => rows.forget(tx, clock() - keptFor))
      for (const { directory } of store.list()) {
        await removeHalves(join(root, directory), clock() - abandonedAfter)
      }
    },

    close: syncing.done,
  }

  async function removeFiles(id: string): Promise<void> {
    await rm(join(dir, id), { force: true })
    await rm(join(dir, `${id}.json`), { force: true })
  }

  /** Deletes what no one has written to for a day, such as the rest of a copy that was interrupted. */
  async function removeStrays(): Promise<void> {
    for (const name of await readdir(dir).catch(() => [])) {
      if (rows.find(name.replace(/\.json$/, ''))?.state === 'receiving') continue
      const found = await stat(join(dir, name)).catch(() => null)
      if (found?.isFile() && found.mtimeMs < clock() - abandonedAfter) {
        await rm(join(dir, name), { force: true })
      }
    }
  }
}

/**
 * Creates the sync after uploads: one folder at a time, and a single sync for all files that arrived
 * during another.
 */
function createSyncing({
  commit,
  log,
  timeline,
  store,
  sync,
}: Pick<Platform, 'commit' | 'log' | 'timeline'> & { store: FolderStore; sync: Sync }) {
  /** Folders that wait, by number, with who added how many files. */
  const waiting = new Map<number, Map<string, number>>()
  let running: Promise<void> | null = null

  const run = async () => {
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [id, added] = next.value
      waiting.delete(id)
      const folder = store.byNumber(id)
      if (!folder) continue
      try {
        await sync(folder)
        await commit((tx) => {
          for (const [actor, count] of added) {
            const after = count === 1 ? '1 file' : `${count} files`
            timeline.record(tx, {
              thing: 'folder',
              thingId: String(id),
              actor,
              act: 'uploaded',
              after,
            })
          }
        })
      } catch (err) {
        log.error({ err, folder: folder.directory }, 'folder not synced after an upload')
      }
    }
  }

  const start = (): void => {
    if (waiting.size === 0) return
    running ??= run().finally(() => {
      running = null
      start()
    })
  }

  return {
    /** @param actor who added a file; null for no one in particular */
    request({ id }: Folder, actor: string | null): void {
      const added = waiting.get(id) ?? new Map<string, number>()
      if (actor !== null) added.set(actor, (added.get(actor) ?? 0) + 1)
      waiting.set(id, added)
      start()
    },
    /** Waits until nothing is to be synced. */
    async done(): Promise<void> {
      const now = () => running
      for (let work = now(); work; work = now()) await work
    },
  }
}
