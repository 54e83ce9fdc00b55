import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  collections,
  definitionOf,
  hasLongText,
  longTextOf,
  type Collection,
} from '../../collections.ts'
import type { StoredRow } from '../collection.ts'
import type { FileDescription, Reader } from '../reader.ts'
import { createDirectusAssets, type DirectusAssets } from './assets.ts'
import { createDirectusClient } from './client.ts'
import { createFieldSets } from './fields.ts'
import { createDescriptionLoader, descriptionsKey } from './file-descriptions.ts'
import { createLists } from './lists.ts'
import { createOutages } from './outages.ts'
import { createRowLoader } from './rows.ts'
import { createSnapshots } from './snapshots.ts'
import { createDirectusTexts } from './texts.ts'
import { defaultTiming, type Timing } from './timing.ts'

/** A collection that every service must have, so asking for it tells how the service is. */
const needed = collections.find((collection) => !definitionOf(collection).optional)!

/** A reader over a Directus. */
export type DirectusReader = Reader & {
  /** Whether the service refused a collection when it was last asked for it. */
  refused(collection: Collection): boolean
  hasAsset: DirectusAssets['has']
}

/**
 * Reads content from a Directus through snapshots, which are refreshed in the background so page
 * views don't wait. A collection that is refused as missing is empty, if it is optional and was never
 * there.
 */
export function createDirectus({
  url,
  token,
  dataDir,
  log,
  clock,
  changed,
  timing: overrides,
}: {
  url: string
  token: string | null
  dataDir: string
  log: Logger
  clock: () => number
  changed: () => void
  timing?: Partial<Timing>
}): DirectusReader {
  const timing = { ...defaultTiming, ...overrides }
  const dir = join(dataDir, 'cache/content')
  const client = createDirectusClient({ url, token, log })
  const fieldSets = createFieldSets({ relearn: timing.relearn, log })
  const lists = createLists(client)
  const outages = createOutages({ file: join(dir, 'failing.json'), origin: url, clock, log })
  const rows = createRowLoader({ lists, fieldSets, emptyFor: timing.emptyFor, clock, log })
  const loadDescriptions = createDescriptionLoader({ lists, relearn: timing.relearn, log })
  const texts = createDirectusTexts({
    lists,
    // Row 1 of another service has another text.
    dir: join(dir, 'texts', createHash('sha1').update(url).digest('hex').slice(0, 12)),
    outages,
    changed,
    timing,
    log,
  })

  // Where earlier versions kept texts.
  for (const name of collections.filter(hasLongText)) {
    void rm(join(dir, name), { recursive: true, force: true }).catch(() => {})
  }

  const follow = (key: string, value: unknown) => {
    const collection = collections.find((name) => name === key)
    if (collection && hasLongText(collection)) texts.follow(collection, value as StoredRow[])
  }

  const snapshots = createSnapshots({
    dir,
    origin: url,
    log,
    timing,
    outages,
    accepted: follow,
    changed(key) {
      // A change of content may have changed its fields.
      if (key !== descriptionsKey) fieldSets.renew(key as Collection)
      changed()
    },
    load: (key, known, retryFor) =>
      key === descriptionsKey
        ? loadDescriptions(known, retryFor)
        : rows.load(key as Collection, known, retryFor),
  })
  const assets = createDirectusAssets({
    client,
    dir: join(dataDir, 'cache/originals'),
    origin: url,
    fresh: timing.fresh,
    log,
  })

  return {
    async rows(collection) {
      const found = (await snapshots.read(collection)) as readonly StoredRow[]
      // Snapshots read from disk were never accepted in this process.
      follow(collection, found)
      return found
    },
    async text(collection, row) {
      const inline = row[longTextOf(collection)!]
      return typeof inline === 'string' ? inline : texts.read(collection, row.id)
    },
    asset: assets.find,
    hasAsset: assets.has,
    assetVersion: async () => null,
    fileDescriptions: async () =>
      (await snapshots.read(descriptionsKey)) as readonly FileDescription[],
    outage: outages.current,
    lack: rows.lack,
    examine: () => snapshots.reload(needed),
    refused: rows.refused,
    async close() {
      texts.close()
      client.close()
      await snapshots.close()
    },
  }
}
