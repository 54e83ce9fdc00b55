import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extraContentFiles } from '../extra-content-files.ts'
import { collections, longTextOf, type Collection } from '../collections.ts'
import { picturesIn } from '../content/addresses.ts'
import type { StoredRow } from '../content/collection.ts'
import { picturesOf } from '../content/published/row-values.ts'
import { decodedText } from '../text/decoded-text.ts'
import { copyContent, listContent } from './files.ts'

/**
 * Copies into a pulled folder what the service would not give, from what is there already: no one
 * can know whether it is gone. So are the pictures of the catalogue, of which the service knows
 * nothing.
 * @param forbidden names of collections and files
 * @param to the pulled folder
 */
export async function copyWithheld(
  forbidden: readonly string[],
  there: string,
  to: string,
): Promise<void> {
  const files = await listContent(there).catch((): string[] => [])
  const pulled = new Set((await listContent(to)).map(stemOf))
  const wanted = new Set<string>(['assets/og-image', ...forbidden.map((id) => `assets/${id}`)])
  for (const { pictures } of extraContentFiles) {
    for (const id of (await pictures?.(there)) ?? []) wanted.add(`assets/${id}`)
  }
  for (const collection of collections) {
    const file = `${collection}.json`
    if (!forbidden.includes(collection) || !files.includes(file)) continue
    wanted.add(stemOf(file))
    for (const stem of await named(collection, there)) wanted.add(stem)
  }
  const kept = files.filter((file) => wanted.has(stemOf(file)) && !pulled.has(stemOf(file)))
  await copyContent(kept, there, to)
}

/** A file without its ending. */
const stemOf = (file: string) => file.replace(/\.\w+$/, '')

/** The texts and pictures that the rows of a collection name. */
async function named(collection: Collection, dir: string): Promise<string[]> {
  const field = longTextOf(collection)
  const found: string[] = []
  for (const row of await readRows(join(dir, `${collection}.json`))) {
    for (const id of picturesOf(collection, row)) found.push(`assets/${id}`)
    const value = field && row[field]
    if (!(value instanceof Object) || !('$file' in value)) continue
    const path = String(value.$file)
    found.push(stemOf(path))
    const html = await readFile(join(dir, path)).then(decodedText, () => '')
    for (const id of picturesIn(html)) found.push(`assets/${id}`)
  }
  return found
}

async function readRows(file: string): Promise<StoredRow[]> {
  try {
    const rows: unknown = JSON.parse(decodedText(await readFile(file)))
    return [rows].flat().filter((row): row is StoredRow => row instanceof Object)
  } catch {
    return []
  }
}
