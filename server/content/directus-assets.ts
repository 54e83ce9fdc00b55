import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { createFairQueue } from '../http/fair-queue.ts'
import type { DirectusClient } from './directus-client.ts'
import { createFileFetch } from './directus-file-fetch.ts'
import { createFileStates } from './directus-file-states.ts'
import { createKeptFiles } from './kept-files.ts'
import type { AssetRequest, Original } from './reader.ts'
import { waitAtMost } from '../timeout.ts'

/** Files fetched at a time; clients take turns. */
const turns = { parallel: 6, each: 64, waiting: 600 }
/** What a check of a file may hold up its reader, in milliseconds. */
const checkTimeout = 1_500
/** A file is fetched anew so often whatever its headers say, in milliseconds. */
const refetchMs = 15 * 60_000

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
 * public content names is asked for with the token, and kept apart from what is public.
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
  const states = createFileStates()
  const checks = new Map<string, Promise<void>>()
  const stemOf = (id: string, named: boolean) => `${owner}${named ? '' : 'p'}-${id}`
  const fetchOnce = createFileFetch({ client, kept, states, queue, stemOf, log })

  /** Makes sure that a kept file is still there and the same. @throws when the content service cannot be asked */
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

  /** Checks a kept file once it is due; its readers share the check, and do not wait long for it. */
  async function refresh(id: string, request: AssetRequest): Promise<void> {
    const stem = stemOf(id, request.named)
    if (performance.now() - states.of(stem).checkedAt < fresh) return
    let checking = checks.get(stem)
    if (!checking) {
      checking = check(id, request)
        .catch((err: unknown) => {
          log.debug({ asset: id, err }, 'kept file not checked')
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
      if (await kept.find(stem)) await refresh(id, request)
      else await fetchOnce(id, request)
      return states.isMissing(stem) ? null : kept.find(stem)
    },
    has: (id) => kept.has(stemOf(id, true)),
  }
}
