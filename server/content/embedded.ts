import { join, sep } from 'node:path'
import type { Logger } from 'pino'
import { collections, longTextOf, type Collection } from '../collections.ts'
import { readAssets } from './asset-folder.ts'
import {
  createCollectionFiles,
  fileOf,
  type CollectionFiles,
  type Loaded,
} from './collection-files.ts'
import type { Original, Reader } from './reader.ts'
import { createTextFiles } from './text-files.ts'
import { unavailable } from './unavailable.ts'
import { watchFiles } from './watch-files.ts'

const assetFolder = 'assets'

/**
 * Reads content from files: `<collection>.json` with an array of rows, long texts beside them
 * (`{"$file": "news/slug.html"}`), files in `assets/<id>.<ending>`. Everything is read when it is
 * first asked for, and again when it changes on disk; a file that does not parse is logged and its
 * last good content stays.
 * @param changed called after anything that has been read is different
 */
export function createEmbedded({
  dir,
  log,
  changed,
  clock,
}: {
  dir: string
  log: Logger
  changed: () => void
  clock: () => number
}): Reader {
  let watching: ReturnType<typeof watchFiles> | null = null
  const { load, outage } = createCollectionFiles({ dir, log, clock })
  const loaded = createLoaded(load)
  const assets = createAssetList(join(dir, assetFolder))
  const texts = createTextFiles({ dir, log, changed })

  /** Begins with the first read, so that opening a context touches nothing. */
  const watched = (): void => {
    if (watching) return
    watching = watchFiles(dir, { log, changed: (paths) => void examine(paths) })
    // What changed while the watching began is found by looking once at all that was read.
    void watching.ready.then(() =>
      examine(new Set([...collections.map(fileOf), assetFolder, ...texts.paths()])),
    )
  }

  /** Reads again what a change may have touched; tells only of what is really different. */
  async function examine(paths: ReadonlySet<string>): Promise<void> {
    const touched = await Promise.all([...paths].map(isDifferent))
    if (touched.includes(true)) changed()
  }

  async function isDifferent(path: string): Promise<boolean> {
    const collection = collections.find((name) => path === fileOf(name))
    if (collection) return loaded.isDifferent(collection)
    if (path === assetFolder || path.startsWith(assetFolder + sep)) return assets.isDifferent()
    // Reading a text tells by itself when it is another.
    if (texts.has(path)) await texts.read(path)
    return false
  }

  return {
    async rows(collection) {
      watched()
      const { rows } = await loaded.read(collection)
      if (!rows) throw unavailable(503, { cause: new Error(`${collection}.json is broken.`) })
      return rows
    },
    async text(collection, row) {
      const value = row[longTextOf(collection)!]
      if (typeof value === 'string') return value
      const path = value instanceof Object && '$file' in value ? String(value.$file) : null
      if (path === null) return null
      const inside = join(path)
      return inside.startsWith('..') || !/\.html?$/.test(inside) ? null : texts.read(inside)
    },
    async asset(id) {
      watched()
      return (await assets.list()).get(id) ?? null
    },
    async assetVersion(id) {
      watched()
      return (await assets.list()).get(id)?.version ?? null
    },
    outage,
    examine: loaded.readAll,
    async close() {
      await watching?.stop()
    },
  }
}

/** Makes what remembers collections that have been read. */
function createLoaded(load: CollectionFiles['load']) {
  const loaded = new Map<Collection, Promise<Loaded>>()
  return {
    read(collection: Collection): Promise<Loaded> {
      if (!loaded.has(collection)) loaded.set(collection, load(collection))
      return loaded.get(collection)!
    },

    /** Reads a collection again that has been read. @returns whether it is another one now */
    async isDifferent(collection: Collection): Promise<boolean> {
      const before = await loaded.get(collection)
      if (!before) return false
      const now = load(collection, before)
      loaded.set(collection, now)
      return (await now).digest !== before.digest
    },

    async readAll(): Promise<void> {
      for (const collection of collections) {
        loaded.set(collection, load(collection, await loaded.get(collection)))
      }
      await Promise.all(loaded.values())
    },
  }
}

/** Makes what remembers the list of asset files. */
function createAssetList(dir: string) {
  let assets: Promise<Map<string, Original>> | null = null
  const list = () => (assets ??= readAssets(dir))
  return {
    list,

    /** Lists again what has been listed. @returns whether it is another list now */
    async isDifferent(): Promise<boolean> {
      if (!assets) return false
      const before = versionsOf(await assets)
      assets = null
      return versionsOf(await list()) !== before
    },
  }
}

const versionsOf = (assets: Map<string, Original>) =>
  [...assets].map(([id, { version }]) => `${id}:${version}`).join()
