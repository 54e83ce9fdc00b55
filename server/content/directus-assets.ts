import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createFairQueue } from '../http/fair-queue.ts'
import type { DirectusClient } from './directus-client.ts'
import { isRefusal } from './directus-replies.ts'
import { createKeptFiles } from './kept-files.ts'
import type { AssetRequest, Original } from './reader.ts'
import { waitAtMost } from '../timeout.ts'
import { unavailable } from './unavailable.ts'

/** Files fetched at a time; clients take turns. */
const turns = { parallel: 6, each: 64, waiting: 600 }
/** What a check of a file may hold up its reader, in milliseconds. */
const checkTimeout = 1_500
/** A file is fetched anew so often whatever its headers say, in milliseconds. */
const refetchAfter = 15 * 60_000
/** How long a missing file stays missing without asking. */
const missingFor = 30_000
/** What is known of a file; times on the clock of `performance.now`. */
type Known = { checkedAt: number; fetchedAt: number; stamp: string | null; goneAt: number }

/** Files of a Directus. */
export type DirectusAssets = {
  find(id: string, request: AssetRequest): Promise<Original | null>
  /** Whether a file is at hand without asking the network. */
  has(id: string): Promise<boolean>
}

/**
 * Fetches files of a Directus untransformed and keeps them on disk, so that pictures show while
 * it is down. What it refuses is gone within a minute, from the disk too; a failure takes nothing
 * away. An empty 200, which a busy Directus gives, is asked for again and never kept. Only what
 * public content names is asked for with the token, and kept apart from what everybody may have.
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
  const kept = createKeptFiles({ dir, log })
  const owner = createHash('sha1').update(origin).digest('hex').slice(0, 8)
  const queue = createFairQueue(turns)
  const files = new LRUCache<string, Known>({ max: 10_000 })
  const fetching = new Map<string, Promise<void>>()
  const checks = new Map<string, Promise<void>>()

  const stemOf = (id: string, named: boolean) => `${owner}${named ? '' : 'p'}-${id}`
  const note = (stem: string, changes: Partial<Known>) => {
    const before = files.get(stem) ?? {
      checkedAt: -Infinity,
      fetchedAt: -Infinity,
      stamp: null,
      goneAt: -Infinity,
    }
    files.set(stem, { ...before, ...changes })
  }

  /** Fetches a file when the client's turn comes, unless another request has fetched it meanwhile. */
  const fetchOnce = (id: string, { client: whose, named }: AssetRequest): Promise<void> => {
    const asked = performance.now()
    const stem = stemOf(id, named)
    return queue(whose, async () => {
      const known = files.get(stem)
      if (Math.max(known?.fetchedAt ?? 0, known?.goneAt ?? 0) > asked) return
      let running = fetching.get(stem)
      if (!running) {
        running = fetchFile(id, named).finally(() => fetching.delete(stem))
        fetching.set(stem, running)
      }
      await running
    })
  }

  async function fetchFile(id: string, named: boolean): Promise<void> {
    const stem = stemOf(id, named)
    if (client.isFailing()) throw unavailable(503)
    try {
      const stamp = await client.download(`/assets/${id}`, {
        asPublic: !named,
        save: (download) => kept.save(stem, download),
      })
      const now = performance.now()
      note(stem, { checkedAt: now, fetchedAt: now, stamp, goneAt: -Infinity })
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (await kept.remove(stem)) {
        log.info({ asset: id, refused: err.refused }, 'file was taken back by the content service')
      }
      note(stem, { goneAt: performance.now() })
    }
  }

  /** Makes sure that a kept file is still there and the same. @throws when the content service cannot be asked */
  async function check(id: string, request: AssetRequest): Promise<void> {
    const stem = stemOf(id, request.named)
    const known = files.get(stem)
    const options = { asPublic: !request.named, timeout: checkTimeout }
    const old = performance.now() - (known?.fetchedAt ?? -Infinity) > refetchAfter
    const stamp = old
      ? null
      : await queue(request.client, () => client.stampOf(`/assets/${id}`, options))
    if (stamp !== null && stamp === known?.stamp) note(stem, { checkedAt: performance.now() })
    else await fetchOnce(id, request)
  }

  /** Checks a kept file once it is due; its readers share the check, and do not wait long for it. */
  async function refresh(id: string, request: AssetRequest): Promise<void> {
    const stem = stemOf(id, request.named)
    if (performance.now() - (files.get(stem)?.checkedAt ?? -Infinity) < fresh) return
    let checking = checks.get(stem)
    if (!checking) {
      checking = check(id, request)
        .catch((err: unknown) => {
          log.debug({ asset: id, err }, 'kept file could not be checked')
          // A failure is not asked about again at once.
          note(stem, { checkedAt: performance.now() })
        })
        .finally(() => checks.delete(stem))
      checks.set(stem, checking)
    }
    if (!client.isFailing()) await waitAtMost(checking, checkTimeout)
  }

  return {
    async find(id, request) {
      const stem = stemOf(id, request.named)
      const missing = () => performance.now() - (files.get(stem)?.goneAt ?? -Infinity) < missingFor
      if (missing()) return null
      if (await kept.find(stem)) await refresh(id, request)
      else await fetchOnce(id, request)
      return missing() ? null : kept.find(stem)
    },
    has: (id) => kept.has(stemOf(id, true)),
  }
}
