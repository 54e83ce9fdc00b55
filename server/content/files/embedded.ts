import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join, sep, basename, extname } from 'node:path'
import type { Logger } from 'pino'
import { collections, longTextOf, type Collection } from '../../collections.ts'
import { servedType } from '../../http/media-types.ts'
import { decodedText } from '../../text/decoded-text.ts'
import type { StoredRow } from '../collection.ts'
import type { Original, Reader, Outage } from '../reader.ts'
import { lastShowable, whyUnshowable } from '../published/unshowable.ts'
import { unavailable } from '../unavailable.ts'
import { brokenAt } from './json-position.ts'
import { watchFiles } from './watch-files.ts'

const assetFolder = 'assets'

/**
 * Reads content from files: `<collection>.json` with an array of rows, long texts beside them
 * (`{"$file": "news/slug.html"}`), files in `assets/<id>.<ending>`. Everything is read on first use
 * and again when it changes on disk; for a file that doesn't parse, or none of whose rows can be shown,
 * the last good version is kept.
 * @param changed called when anything that was read has changed
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

  /** Starts with the first read, so opening a context touches nothing. */
  const watched = (): void => {
    if (watching) return
    watching = watchFiles(dir, { log, changed: (paths) => void examine(paths) })
    // Catches changes from before the watcher was ready.
    void watching.ready.then(() =>
      examine(new Set([...collections.map(fileOf), assetFolder, ...texts.paths()])),
    )
  }

  /** Rereads what a change may have touched; reports only real differences. */
  async function examine(paths: ReadonlySet<string>): Promise<void> {
    const touched = await Promise.all([...paths].map(isDifferent))
    if (touched.includes(true)) changed()
  }

  async function isDifferent(path: string): Promise<boolean> {
    const collection = collections.find((name) => path === fileOf(name))
    if (collection) return loaded.isDifferent(collection)
    if (path === assetFolder || path.startsWith(assetFolder + sep)) return assets.isDifferent()
    // Reading a text reports its own changes.
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
    async lacks(id) {
      watched()
      return !(await assets.list()).has(id)
    },
    outage,
    examine: loaded.readAll,
    async close() {
      await watching?.stop()
    },
  }
}

/** Remembers collections that have been read. */
function createLoaded(load: CollectionFiles['load']) {
  const loaded = new Map<Collection, Promise<Loaded>>()
  return {
    read(collection: Collection): Promise<Loaded> {
      if (!loaded.has(collection)) loaded.set(collection, load(collection))
      return loaded.get(collection)!
    },

    /** Rereads a collection if it was read before. @returns whether it has changed */
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

/** Remembers the list of asset files. */
function createAssetList(dir: string) {
  let assets: Promise<Map<string, Original>> | null = null
  const list = () => (assets ??= readAssets(dir))
  return {
    list,

    /** Lists the files again if they were listed before. @returns whether they have changed */
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

/** A collection as its file has it; `digest` tells one content from another, no rows are broken ones. */
type Loaded = { digest: string; rows: readonly StoredRow[] | null }

/** The files of collections. */
type CollectionFiles = {
  /** Reads a file; a broken one leaves what was read before. */
  load(collection: Collection, before?: Loaded): Promise<Loaded>
  /** The file that has been broken for longest; null while all is well. */
  outage(): Outage | null
}

/** The name of a collection's file. */
const fileOf = (collection: Collection) => `${collection}.json`

/** Tells one text from another. */
const digestOf = (text: string | null) =>
  text === null ? 'absent' : createHash('sha1').update(text).digest('base64')

function createCollectionFiles({
  dir,
  log,
  clock,
}: {
  dir: string
  log: Pick<Logger, 'error' | 'warn'>
  clock: () => number
}): CollectionFiles {
  /** Files that cannot be read, and since when. */
  const broken = new Map<Collection, Outage>()

  async function load(collection: Collection, before?: Loaded): Promise<Loaded> {
    const path = join(dir, fileOf(collection))
    let source = ''
    try {
      source = decodedText(await readFile(path))
      const digest = digestOf(source)
      if (before?.digest === digest) {
        broken.delete(collection)
        return before
      }
      const parsed: unknown = JSON.parse(source)
      if (!(parsed instanceof Object))
        throw new SyntaxError('The file doesn’t contain an array of rows.')
      const rows = Array.isArray(parsed) ? (parsed as StoredRow[]) : [parsed as StoredRow]
      const why = await whyUnshowable(collection, rows)
      if (why === null) {
        broken.delete(collection)
        return { digest, rows }
      }
      return await unshowable(collection, { digest, rows }, before, why)
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') {
        broken.delete(collection)
        const had = before?.rows?.length ?? 0
        if (had > 0) log.warn({ file: path, had }, 'content file is gone, and its pages with it')
        return { digest: 'absent', rows: [] }
      }
      const problem = (err as Error).message
      const place = err instanceof SyntaxError ? brokenAt(source) : null
      log.error(
        { file: path, ...place, problem },
        before?.rows
          ? 'invalid content file, keeping the last good version'
          : 'invalid content file',
      )
      broken.set(collection, {
        since: broken.get(collection)?.since ?? clock(),
        // Not the engine's own words, which quote the file.
        why: place
          ? `${collection}.json is broken at line ${place.line}, column ${place.column}`
          : `${collection}.json can’t be read`,
      })
      return before?.rows ? before : { digest: 'broken', rows: null }
    }
  }

  /** What counts of a file none of whose rows can be shown. */
  async function unshowable(
    collection: Collection,
    now: { digest: string; rows: readonly StoredRow[] },
    before: Loaded | undefined,
    why: string,
  ): Promise<Loaded> {
    const left = before?.rows ? await lastShowable(collection, before.rows, now.rows) : null
    const told = left ? `${why}; showing the last ones` : why
    const known = broken.get(collection)
    if (known?.why !== told) log.error({ file: join(dir, fileOf(collection)) }, told)
    broken.set(collection, { since: known?.since ?? clock(), why: told })
    if (left === null) return { ...now, digest: `unshowable ${now.digest}` }
    return left === before!.rows ? before! : { digest: `part ${now.digest}`, rows: left }
  }

  return {
    load,
    outage: () => [...broken.values()].toSorted((a, b) => a.since - b.since)[0] ?? null,
  }
}

/** The files of long texts. */
type TextFiles = {
  /** Reads a text; null where it cannot be read. */
  read(path: string): Promise<string | null>
  /** Whether a text has been read. */
  has(path: string): boolean
  /** The texts that have been read. */
  paths(): Iterable<string>
}

/** @param changed called when a text differs from what was read last */
function createTextFiles({
  dir,
  log,
  changed,
}: {
  dir: string
  log: Pick<Logger, 'warn'>
  changed: () => void
}): TextFiles {
  /** What a text was when it was last read, by its path. */
  const digests = new Map<string, string>()
  return {
    has: (path) => digests.has(path),
    paths: () => digests.keys(),
    async read(path) {
      const text = await readFile(join(dir, path)).then(decodedText, (err: unknown) => {
        log.warn({ file: path, err }, 'content text not readable')
        return null
      })
      const before = digests.get(path)
      const digest = digestOf(text)
      digests.delete(path)
      digests.set(path, digest)
      if (before !== undefined && before !== digest) changed()
      return text
    },
  }
}

/** How many files are looked at side by side. */
const batch = 100

/** Does something with each of many, some of them at a time. */
async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += batch) {
    results.push(...(await Promise.all(items.slice(at, at + batch).map(work))))
  }
  return results
}

/** The files of a folder by their names without the ending. */
async function readAssets(folder: string): Promise<Map<string, Original>> {
  const names = await readdir(folder).catch(() => [])
  const shown = names
    .filter((name) => !name.startsWith('.') && servedType(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
  // A batch side by side: one after the other, the thread was woken for each of them.
  const found = await sideBySide(shown, (name) => stat(join(folder, name)).catch(() => null))
  const assets = new Map<string, Original>()
  for (const [at, name] of shown.entries()) {
    const file = found[at]
    if (!file?.isFile()) continue
    assets.set(basename(name, extname(name)), {
      type: servedType(name)!,
      size: file.size,
      version: createHash('sha1').update(`${file.mtimeMs}:${file.size}`).digest('hex').slice(0, 10),
      path: async () => join(folder, name),
    })
  }
  return assets
}
