import type { Logger } from 'pino'
import type { FairQueue } from '../http/fair-queue.ts'
import type { DirectusClient } from './directus-client.ts'
import type { FileStates } from './directus-file-states.ts'
import { isRefusal } from './directus-replies.ts'
import type { KeptFiles } from './kept-files.ts'
import type { AssetRequest } from './reader.ts'
import { unavailable } from './unavailable.ts'

/**
 * Makes the function that fetches a file when the client's turn comes, unless another request has
 * fetched it meanwhile; equal fetches share one request. What the service refuses is removed.
 * @param options `stemOf` the name under which a file is kept
 */
export function createFileFetch({
  client,
  kept,
  states,
  queue,
  stemOf,
  log,
}: {
  client: Pick<DirectusClient, 'download' | 'isFailing'>
  kept: Pick<KeptFiles, 'save' | 'remove'>
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
        save: (download) => kept.save(stem, download),
      })
      const now = performance.now()
      states.note(stem, { checkedAt: now, fetchedAt: now, stamp, goneAt: -Infinity })
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (await kept.remove(stem)) {
        log.info({ asset: id, refused: err.refused }, 'file was taken back by the content service')
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
