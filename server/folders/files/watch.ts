import { join } from 'node:path'
import { isFailure } from '#shared/failures.ts'
import type { Folder } from '../schema.ts'
import type { FolderStore } from '../store.ts'
import { systemFiles } from './scan.ts'
import type { Sync, SyncResult } from './sync.ts'

/** Milliseconds for which a file has to keep its size before it counts as whole. */
const settleMs = 1500

/**
 * Milliseconds after its last bytes in which a file may still be written while another one is whole;
 * shorter, so that one that has just settled counts.
 */
const writingMs = 1000

/** What a watcher found: the result of a sync, and the paths of the files that it added. */
export type WatchedChange = { sync: SyncResult; added: string[] }

/**
 * Syncs a folder whenever something in its directory has changed and come to rest, until it's told to
 * stop. Files that are still being written are waited for. For file systems without change events, such
 * as some network mounts, set CHOKIDAR_USEPOLLING=1.
 * @param options `came` is told of the first sync and of each one that changed something
 * @throws what the first sync throws; later ones that are refused are tried again
 */
export async function watchFolder(
  folder: Folder,
  {
    store,
    sync,
    root,
    came,
    signal,
  }: {
    store: FolderStore
    sync: Sync
    root: string
    came: (found: WatchedChange) => void
    signal: AbortSignal
  },
): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  let due = true
  let isFirst = true
  let running: Promise<void> | null = null
  const isStill = () => running ?? Promise.resolve()

  const look = async () => {
    while (due && !signal.aborted) {
      due = false
      const { last } = store.countAfter(folder.id, 0)
      const found = await sync(folder, undefined, { settledBefore: Date.now() - writingMs }).catch(
        (error: unknown) => {
          if (isFirst || !isFailure(error)) throw error
          return null
        },
      )
      // A disk that is away for a moment, or the only picture, which is exported again.
      if (found === null) return later()
      if (found.unsettled) later()
      const ids = store.after(folder.id, last)
      const added = store.some(folder.id, ids).map(({ path }) => path)
      if (isFirst || added.length + found.changed + found.removed > 0) came({ sync: found, added })
      isFirst = false
    }
  }
  let waiting: NodeJS.Timeout | undefined
  const later = () => {
    clearTimeout(waiting)
    waiting = setTimeout(request, settleMs)
  }
  const request = () => {
    due = true
    running ??= look()
      .catch(stopped.reject)
      .finally(() => {
        running = null
        if (due && !signal.aborted) request()
      })
  }

  // Loaded with the first one, as most commands watch nothing.
  const { watch } = await import('chokidar')
  const watcher = watch(join(root, folder.directory), {
    ignoreInitial: true,
    ignored: (path) => systemFiles.test(path.split(/[/\\]/).at(-1) ?? ''),
    awaitWriteFinish: { stabilityThreshold: settleMs, pollInterval: 250 },
  })
  // What is removed may be about to be written again, by a program that exports a picture again.
  watcher.on('all', (event) => (event === 'unlink' ? later() : request()))
  watcher.on('error', stopped.reject)
  // What changed before everything is watched, the first sync sees.
  watcher.once('ready', request)
  signal.addEventListener('abort', () => stopped.resolve(), { once: true })
  if (signal.aborted) stopped.resolve()
  try {
    await stopped.promise
  } finally {
    await watcher.close()
    await isStill()
    clearTimeout(waiting)
  }
}
