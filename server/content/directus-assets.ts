import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { isRefusal, type DirectusClient } from './directus-client.ts'
import { createDiskCache } from './disk-cache.ts'
import type { Original } from './reader.ts'

/** How long a reader waits for a file that is not on disk. */
const patience = 8_000
/** How long a kept file is used before it is asked for again; files are seldom replaced. */
const fresh = 15 * 60_000
/** How long a missing file stays missing without asking. */
const missingFor = 30_000
const mostMissing = 1_000
const ceiling = 1024 * 1024 * 1024

/** A kept file's name carries all that is known of it: `<origin>-<id>~<version>~<type>`. */
const nameOf = (prefix: string, version: string, type: string) =>
  `${prefix}${version}~${type.replace('/', '~')}`

/**
 * Fetches files of a Directus untransformed and keeps them on disk, so that pictures show while
 * it is down. An empty 200, which a busy Directus gives, is asked for again and never kept.
 */
export function createDirectusAssets({
  client,
  dir,
  origin,
  log,
}: {
  client: DirectusClient
  dir: string
  origin: string
  log: Logger
}): { find(id: string): Promise<Original | null> } {
  const cache = createDiskCache({ dir, ceiling, log })
  const owner = createHash('sha1').update(origin).digest('hex').slice(0, 8)
  const checkedAt = new Map<string, number>()
  const missing = new Map<string, number>()
  const fetching = new Map<string, Promise<Original | null>>()

  function fetchOnce(id: string): Promise<Original | null> {
    let running = fetching.get(id)
    if (!running) {
      running = fetchFile(id).finally(() => fetching.delete(id))
      fetching.set(id, running)
    }
    return running
  }

  async function fetchFile(id: string): Promise<Original | null> {
    const prefix = prefixOf(id)
    try {
      const { body, type } = await client.get(`/assets/${id}`, {
        patience,
        accept(reply) {
          if (reply.body.length === 0) throw new Error('The content service sent an empty file.')
          return { body: reply.body, type: mediaTypeOf(reply.type) }
        },
      })
      const version = createHash('sha256').update(body).digest('hex').slice(0, 16)
      const before = await cache.find(prefix)
      const name = nameOf(prefix, version, type)
      if (before && before !== name) await cache.remove(before)
      if (before !== name) await cache.put(name, body)
      checkedAt.set(id, performance.now())
      missing.delete(id)
      return { type, version, bytes: async () => body }
    } catch (err) {
      if (!isRefusal(err)) throw err
      if (missing.size >= mostMissing) missing.clear()
      missing.set(id, performance.now())
      return null
    }
  }

  const prefixOf = (id: string) => `${owner}-${id}~`

  return {
    async find(id) {
      const gone = missing.get(id)
      if (gone !== undefined && performance.now() - gone < missingFor) return null
      const name = await cache.find(prefixOf(id))
      if (!name) return fetchOnce(id)
      const checked = checkedAt.get(id)
      if (checked === undefined || performance.now() - checked > fresh) {
        // Whatever comes of it, the kept file is shown now; a failure is not asked about again soon.
        checkedAt.set(id, performance.now())
        fetchOnce(id).catch((err: unknown) =>
          log.warn({ asset: id, err }, 'kept file could not be checked'),
        )
      }
      const [, version = '', ...type] = name.split('~')
      return {
        type: type.join('/'),
        version,
        async bytes() {
          const bytes = await cache.get(name)
          if (bytes) return bytes
          const found = await fetchOnce(id)
          return found ? found.bytes() : Buffer.alloc(0)
        },
      }
    },
  }
}

/** The media type without parameters; only what is safe in a file name. */
function mediaTypeOf(header: string): string {
  const type = header.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[a-z]+\/[a-z\d.+-]+$/.test(type) ? type : 'application/octet-stream'
}
