import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { failure } from '#shared/failures.ts'
import { createDiskCache } from '../disk-cache.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import { realFile, versionOf } from '../transfers/disk.ts'
import { makePreview, recipeVersion, type PreviewKind } from './pixels.ts'
import type { StoredFile } from './file-store.ts'

/** A preview that is there or can be made. */
export type Preview = {
  /** Strong, with its quotes. */
  etag: string
  type: string
  /** From the disk, or null when it has to be made. */
  cached(): Promise<Buffer | null>
  /**
   * Makes it, when it is this client's turn.
   * @throws too-many and unavailable when too many wait already; missing when it is no picture
   */
  make(client: string): Promise<Buffer>
}

/** Bytes of previews on disk, over all folders. */
const mostPreviewBytes = 2 * 1024 * 1024 * 1024
const mostPreviews = 50_000

/** Previews that are made at once, that wait for one client and in all; a page asks for 120. */
const turns = { parallel: 2, each: 250, waiting: 1000 }

/**
 * Makes the previews of pictures and posters; equal requests share the work.
 * @param dir of the cache
 */
export function createPreviews({ dir, log }: { dir: string; log: Logger }) {
  const cache = createDiskCache({
    dir,
    mostBytes: mostPreviewBytes,
    mostFiles: mostPreviews,
    log,
  })
  const queue = createFairQueue(turns)
  const making = new Map<string, Promise<Buffer>>()

  /** @returns null when the file has no pixels, or is not there */
  return async (root: string, file: StoredFile, kind: PreviewKind): Promise<Preview | null> => {
    const path = file.kind === 'image' ? file.path : file.poster
    const version = path === null ? null : await versionOf(root, path)
    if (path === null || version === null) return null
    const key = JSON.stringify([recipeVersion, root, path, version, kind])
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 40)
    const name = `${hash}.${kind === 'thumb' ? 'webp' : 'jpg'}`
    const work = async () => {
      const real = await realFile(root, path)
      if (real === null) throw failure('missing')
      const made = await makePreview(real, kind).catch((err: unknown) => {
        log.warn({ event: 'folder.picture', file: file.id, err }, 'picture not made')
        throw failure('missing')
      })
      await cache.put(name, made)
      return made
    }
    return {
      etag: `"${hash}"`,
      type: kind === 'thumb' ? 'image/webp' : 'image/jpeg',
      cached: () => cache.get(name),
      make(client) {
        let running = making.get(name)
        if (!running) {
          running = queue(client, work).finally(() => making.delete(name))
          making.set(name, running)
        }
        return running
      },
    }
  }
}
