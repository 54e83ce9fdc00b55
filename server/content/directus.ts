import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  collections,
  definitionOf,
  longTextOf,
  type Collection,
  type LongTextCollection,
} from '../collections.ts'
import { createDirectusAssets, type DirectusAssets } from './directus-assets.ts'
import { createDirectusClient } from './directus-client.ts'
import { createFieldSets } from './directus-fields.ts'
import { createLists } from './directus-lists.ts'
import { createRowLoader, type RowLoader } from './directus-rows.ts'
import { createTextLoader, type LoadText } from './directus-texts.ts'
import { usualPace, type Pace } from './pace.ts'
import type { Reader } from './reader.ts'
import type { StoredRow } from './stored-row.ts'
import type { Load } from './snapshot-refresh.ts'
import { createSnapshots } from './snapshots.ts'

/** A collection that every service must have, so that asking for it tells how the service is. */
const needed = collections.find((collection) => !definitionOf(collection).optional)!

/** A reader over a Directus. */
export type DirectusReader = Reader & {
  /** Whether the service refused a collection when it was last asked for it. */
  refused(collection: Collection): boolean
  hasAsset: DirectusAssets['has']
}

/**
 * Reads content from a Directus, through snapshots: it is asked in the background, never on the
 * path of a page view that could do without. What it refuses as missing is empty, if it may be
 * missing and has never been there.
 */
export function createDirectus({
  url,
  token,
  dataDir,
  log,
  clock,
  changed,
  pace: hurried,
}: {
  url: string
  token: string | null
  dataDir: string
  log: Logger
  clock: () => number
  changed: () => void
  pace?: Partial<Pace>
}): DirectusReader {
  const pace = { ...usualPace, ...hurried }
  const client = createDirectusClient({ url, token, log })
  const fieldSets = createFieldSets({ relearn: pace.relearn, log })
  const lists = createLists(client)
  const rows = createRowLoader({ lists, fieldSets, log })

  const snapshots = createSnapshots({
    dir: join(dataDir, 'cache/content'),
    origin: url,
    log,
    clock,
    pace,
    changed() {
      // A change of content may have changed its fields.
      fieldSets.renew()
      changed()
    },
    load: createLoad(rows.load, createTextLoader(lists)),
  })
  const assets = createDirectusAssets({
    client,
    dir: join(dataDir, 'cache/originals'),
    origin: url,
    fresh: pace.fresh,
    log,
  })

  return {
    rows: async (collection) => (await snapshots.read(collection)) as readonly StoredRow[],
    async text(collection, row) {
      const { id } = row
      const inline = row[longTextOf(collection)!]
      if (typeof inline === 'string') return inline
      return (await snapshots.read(textKey(collection, id))) as string | null
    },
    asset: assets.find,
    hasAsset: assets.has,
    assetVersion: async () => null,
    outage: snapshots.outage,
    examine: () => snapshots.reload(needed),
    refused: rows.refused,
    async close() {
      client.close()
      await snapshots.close()
    },
  }
}

/** Under which key the snapshots have a long text; the rows of a collection are under its name. */
const textKey = (collection: Collection, id: StoredRow['id']) =>
  `${collection}/${encodeURIComponent(String(id))}`

/** Makes the loading of what a key of the snapshots names. */
const createLoad =
  (loadRows: RowLoader['load'], loadText: LoadText): Load =>
  (key, known, retryFor) => {
    const [collection = '', id] = key.split('/')
    return id === undefined
      ? loadRows(collection as Collection, known, retryFor)
      : loadText(collection as LongTextCollection, decodeURIComponent(id), known, retryFor)
  }
