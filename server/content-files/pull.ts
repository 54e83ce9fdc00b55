import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { collections, hasLongText, longTextOf, type Collection } from '../collections.ts'
import type { Logger } from 'pino'
import { createDirectus, type DirectusReader } from '../content/directus/directus.ts'
import { isBroken } from '../content/directus/request.ts'
import { createFileAddresses, picturesIn, type FileAddresses } from '../content/addresses.ts'
import { endingFor } from '../http/media-types.ts'
import type { FileDescription } from '../content/reader.ts'
import type { StoredRow } from '../content/collection.ts'
import {
  fieldsOfKind,
  mapPictures,
  normalise,
  picturesOf,
} from '../content/published/row-values.ts'
import { decodedText } from '../text/decoded-text.ts'
import { slugOf } from '#shared/text/slug.ts'

/** What has been copied. */
export type Pulled = {
  rows: number
  texts: number
  assets: number
  /**
   * Collections and files that the service did not give: they are not there, not for this token, or
   * damaged.
   */
  forbidden: string[]
}

/** What a pull brought, and what the named files say of themselves where no media row does. */
export type Pull = { pulled: Pulled; words: FileDescription[] }

/**
 * Copies what a Directus holds into an empty folder of content files: rows, long texts beside them,
 * and every file that one of them names.
 * @param from address, token, and all addresses by which texts may name the service's files;
 *   `dataDir` takes what the reader keeps on the way
 * @param dir where the files go
 * @param log takes what the reader has to say
 * @param options `isCheck` makes empty files where the service says that it has one, and fetches only
 *   what it says nothing of
 * @throws when the service does not answer
 */
export async function pullContent(
  from: { url: string; token: string | null; addresses: readonly string[]; dataDir: string },
  dir: string,
  log: Logger,
  { isCheck = false }: { isCheck?: boolean } = {},
): Promise<Pull> {
  const pulled: Pulled = { rows: 0, texts: 0, assets: 0, forbidden: [] }
  const reader = createDirectus({ ...from, log, clock: Date.now, changed() {} })
  const addresses = createFileAddresses(from.addresses)
  const write = async (file: string, content: string) => {
    await mkdir(dirname(join(dir, file)), { recursive: true })
    await writeFile(join(dir, file), content)
  }
  try {
    const wanted = new Set<string>(['og-image'])
    const files = new Set<string>()
    for (const collection of collections) {
      const stored = await readRows(reader, collection)
      if (!stored) {
        pulled.forbidden.push(collection)
        continue
      }
      const rows: Record<string, unknown>[] = []
      for (const each of stored) {
        const row = plain(collection, each, addresses)
        for (const id of named(collection, row)) if (isFileName(id)) wanted.add(id)
        if (hasLongText(collection)) {
          const html = await reader.text(collection, each)
          if (html !== null) {
            for (const id of picturesIn(html)) if (isFileName(id)) wanted.add(id)
            const file = fileFor(collection, each, files)
            await write(file, `${addresses.withOwnAddresses(html).trimEnd()}\n`)
            row[longTextOf(collection)!] = { $file: file }
            pulled.texts += 1
          }
        }
        rows.push(row)
      }
      if (rows.length === 0) continue
      pulled.rows += rows.length
      await write(`${collection}.json`, `${JSON.stringify(rows, null, 2)}\n`)
    }
    const said = (await reader.fileDescriptions?.().catch(() => [])) ?? []
    const words = said.filter(({ id }) => wanted.has(id))
    const listed = isCheck ? new Set(words.map(({ id }) => id)) : new Set<string>()
    await pullAssets(reader, wanted, { dir, listed }, pulled)
    return { pulled, words }
  } finally {
    await reader.close()
  }
}

/** Adds to a folder of content files what files say of themselves; what its media rows say stays. */
export async function addWords(dir: string, words: readonly FileDescription[]): Promise<void> {
  if (words.length === 0) return
  const file = join(dir, 'media.json')
  const text = await readFile(file).then(decodedText, () => '[]')
  const rows = JSON.parse(text) as Record<string, unknown>[]
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  for (const { id, alt, width, height, focal } of words) {
    const [x, y] = focal
    const said = {
      alt,
      width,
      height,
      focal_x: x !== null && width ? x / width : null,
      focal_y: y !== null && height ? y / height : null,
    }
    const row = byId.get(id) ?? { id }
    for (const [name, value] of Object.entries(said)) if (value !== null) row[name] ??= value
    if (!byId.has(id)) rows.push(row)
  }
  await writeFile(file, `${JSON.stringify(rows, null, 2)}\n`)
}

/** The rows of a collection; null where the service has no such collection, or hides it. */
async function readRows(
  reader: DirectusReader,
  collection: Collection,
): Promise<readonly StoredRow[] | null> {
  try {
    const rows = await reader.rows(collection)
    return reader.refused(collection) ? null : rows
  } catch (err) {
    if (reader.refused(collection)) return null
    throw err
  }
}

/** @param options `listed` files that are there and need not be fetched */
async function pullAssets(
  reader: DirectusReader,
  wanted: ReadonlySet<string>,
  { dir, listed }: { dir: string; listed: ReadonlySet<string> },
  pulled: Pulled,
): Promise<void> {
  await mkdir(join(dir, 'assets'), { recursive: true })
  for (const id of wanted) {
    if (listed.has(id)) {
      await writeFile(join(dir, 'assets', `${id}.jpg`), '')
      continue
    }
    const original = await reader
      .asset(id, { client: 'pull', named: true })
      .catch((err: unknown) => noneIfBroken(err))
    if (original) {
      await copyFile(
        await original.path(),
        join(dir, 'assets', `${id}.${endingFor(original.type)}`),
      )
      pulled.assets += 1
    } else if (id !== 'og-image') pulled.forbidden.push(id)
  }
}

/** One damaged file must not keep all others from being pulled. @throws all other failures */
function noneIfBroken(err: unknown): null {
  if (isBroken(err)) return null
  throw err
}

/** A row without what only a Directus understands: file fields hold the id of the file. */
function plain(
  collection: Collection,
  stored: StoredRow,
  addresses: FileAddresses,
): Record<string, unknown> {
  const row = normalise(collection, stored)
  mapPictures(collection, row, addresses.assetId)
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string') row[name] = addresses.withOwnAddresses(value)
  }
  return row
}

/** The files that a row names beside its long text. */
function named(collection: Collection, row: Record<string, unknown>): string[] {
  const texts = fieldsOfKind(collection, 'rich')
    .map((name) => row[name])
    .filter((text) => typeof text === 'string')
  return [...picturesOf(collection, row), ...texts.flatMap(picturesIn)]
}

/** Only what may be a file name; an address passes as it is and is not fetched. */
const isFileName = (id: string) => /^[\w-]{1,80}$/.test(id)

/** A name for the text of a row that is safe on every disk, and not taken. */
function fileFor(collection: Collection, { slug, url, id }: StoredRow, taken: Set<string>): string {
  const given = typeof slug === 'string' ? slug : typeof url === 'string' ? url : ''
  const readable = slugOf(given.replace(/^\/?services\//, '')).slice(0, 80)
  const name = `${collection}/${readable || `row-${slugOf(String(id))}`}`
  const file = taken.has(name) ? `${name}-${slugOf(String(id))}.html` : `${name}.html`
  taken.add(name)
  return file
}
