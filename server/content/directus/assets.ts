import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createFairQueue, type FairQueue } from '../../http/limits/fair-queue.ts'
import { waitAtMost } from '../../concurrency/timeout.ts'
import type { AssetRequest, Original } from '../reader.ts'
import { unavailable } from '../unavailable.ts'
import type { DirectusClient } from './client.ts'
import { createFileCache, type FileCache } from './file-cache.ts'
import { isRefusal } from './request.ts'

/** Files fetched at a time; clients take turns. */
const turns = { parallel: 6, each: 64, waiting: 600 }
/** What a check of a file may hold up its reader, in milliseconds. */
const checkTimeout = 1_500
/** A file is fetched again so often whatever its headers say, in milliseconds. */
const refetchMs = 15 * 60_000

/** Files of a Directus. */
export type DirectusAssets = {
  find(id: string, request: AssetRequest): Promise<Original | null>
  /** Whether a file is at hand without asking the network. */
  has(id: string): Promise<boolean>
}

/**
 * Fetches files of a Directus untransformed and keeps them on disk, so pictures show while
 * it is down. What it refuses is gone within a minute, from the disk too; a failure takes nothing
 * away. An empty 200, which a busy Directus gives, is asked for again and never cached. The token is only sent for files
 * that public content names; those are cached apart from public ones.
 * @param fresh how long a file is shown without a check, in milliseconds
 */
export function createDirectusAssets({
  client,
  dir,
  origin,
  fresh,
  log,
}: {
  client: DirectusClient
  dir: string
  origin: string
  fresh: number
  log: Logger
}): DirectusAssets {
  const cache = createFileCache({ dir, log })
  const owner = createHash('sha1').update(origin).digest('hex').slice(0, 8)
  const queue = createFairQueue(turns)
  const states = createFileStates()
  const checks = new Map<string, Promise<void>>()
  const stemOf = (id: string, named: boolean) => `${owner}${named ? '' : 'p'}-${id}`
  const fetchOnce = createFileFetch({ client, cache, states, queue, stemOf, log })

  /** Revalidates a cached file. @throws when the content service can't be asked */
  async function check(id: string, request: AssetRequest): Promise<void> {
    const stem = stemOf(id, request.named)
    const { fetchedAt, stamp: known } = states.of(stem)
    const options = { asPublic: !request.named, timeout: checkTimeout }
    const old = performance.now() - fetchedAt > refetchMs
    const stamp = old
      ? null
      : await queue(request.client, () => client.stampOf(`/assets/${id}`, options))
    if (stamp !== null && stamp === known) states.note(stem, { checkedAt: performance.now() })
    else await fetchOnce(id, request)
  }

  /** Revalidates a cached file when due; readers share one check and don't wait long for it. */
  async function refresh(id: string, request: AssetRequest): Promise<void> {
    const stem = stemOf(id, request.named)
    if (performance.now() - states.of(stem).checkedAt < fresh) return
    let checking = checks.get(stem)
    if (!checking) {
      checking = check(id, request)
        .catch((err: unknown) => {
          log.debug({ asset: id, err }, 'cached file not revalidated')
          // A failure is not asked about again at once.
          states.note(stem, { checkedAt: performance.now() })
        })
        .finally(() => checks.delete(stem))
      checks.set(stem, checking)
    }
    if (!client.isFailing()) await waitAtMost(checking, checkTimeout)
  }

  return {
    async find(id, request) {
      const stem = stemOf(id, request.named)
      if (states.isMissing(stem)) return null
      if (await cache.find(stem)) await refresh(id, request)
      else await fetchOnce(id, request)
      return states.isMissing(stem) ? null : cache.find(stem)
    },
    has: (id) => cache.has(stemOf(id, true)),
  }
}

/**
 * Makes the function that fetches a file when the client's turn comes, unless another request has
 * fetched it meanwhile; equal fetches share one request. What the service refuses is removed.
 * @param options `stemOf` the name a file is cached under
 */
function createFileFetch({
  client,
  cache,
  states,
  queue,
  stemOf,
  log,
}: {
  client: Pick<DirectusClient, 'download' | 'isFailing'>
  cache: Pick<FileCache, 'save' | 'remove'>
  states: FileStates
  queue: FairQueue
  stemOf: (id: string, named: boolean) => string
  log: Pick<Logger, 'info'>
}): (id: string, request: AssetRequest) => Promise<void> {
  const fetching = new Map<string, Promise<void>>()

  async function fetchFile(id: string, named: boolean): Promise<void> {
    const stem = stemOf(id, named)
    if (client.isFailing()) throw unavailable(503)
    try {
      const stamp = await client.download(`/assets/${id}`, {
        asPublic: !named,
        save: (download) => cache.save(stem, download),
      })
      const now = performance.now()
      states.note(stem, { checkedAt: now, fetchedAt: now, stamp, goneAt: -Infinity })
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (await cache.remove(stem)) {
        log.info({ asset: id, refused: err.refused }, 'asset withdrawn by the content service')
      }
      states.note(stem, { goneAt: performance.now() })
    }
  }

  return (id, { client: whose, named }) => {
    const asked = performance.now()
    const stem = stemOf(id, named)
    return queue(whose, async () => {
      const { fetchedAt, goneAt } = states.of(stem)
      if (Math.max(fetchedAt, goneAt) > asked) return
      let running = fetching.get(stem)
      if (!running) {
        running = fetchFile(id, named).finally(() => fetching.delete(stem))
        fetching.set(stem, running)
      }
      await running
    })
  }
}

/** What is known of a file of a Directus; times on the clock of `performance.now`. */
type FileState = {
  checkedAt: number
  fetchedAt: number
  /** What tells one version from another; null when the service says nothing of it. */
  stamp: string | null
  /** When the service said that there is none. */
  goneAt: number
}

/** How long a missing file stays missing without asking, in milliseconds. */
const missingMs = 30_000

const unknown: FileState = {
  checkedAt: -Infinity,
  fetchedAt: -Infinity,
  stamp: null,
  goneAt: -Infinity,
}

/** What is known of the files that were asked for last, by their stems. */
type FileStates = ReturnType<typeof createFileStates>

function createFileStates() {
  const states = new LRUCache<string, FileState>({ max: 10_000 })
  const of = (stem: string): FileState => states.get(stem) ?? unknown
  return {
    of,
    note: (stem: string, changes: Partial<FileState>) =>
      void states.set(stem, { ...of(stem), ...changes }),
    isMissing: (stem: string) => performance.now() - of(stem).goneAt < missingMs,
  }
}
