import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { longTextOf, type Collection } from '../collections.ts'
import { heroTextLimits } from '#shared/hero.ts'
import { isSafeLink } from '../content/addresses.ts'
import type { Note } from '../content/files/extra-content-files.ts'
import type { StoredRow } from '../content/collection.ts'
import { decodedText } from '../text/decoded-text.ts'
import { checkLinks, type Places } from './links.ts'

/** A content folder: where it is, which files it has, and what its links may lead to. */
type ContentFolder = { dir: string; files: ReadonlySet<string>; places: Places }

/** Collections whose `url` or `button_url` is where a link leads. */
const linked: ReadonlySet<Collection> = new Set(['menu_main', 'section_hero', 'events'])

/** Checks the long text of a row, every field that holds a link, and texts that are too long. */
export async function checkTexts(
  collection: Collection,
  row: StoredRow,
  { dir, files, places }: ContentFolder,
  note: Note,
): Promise<void> {
  const field = longTextOf(collection)
  const value = field && row[field]
  if (field && value instanceof Object && '$file' in value) {
    const path = String(value.$file)
    if (!files.has(path)) note(`file not found: ${path}`, field)
    else checkRichText(decodedText(await readFile(join(dir, path))), places, note, field)
  } else if (field && typeof value === 'string') checkRichText(value, places, note, field)
  if (collection === 'faq' && typeof row.answer === 'string') {
    checkRichText(row.answer, places, note, 'answer')
  }
  for (const name of ['url', 'button_url'] as const) {
    const address = row[name]
    // One that is not safe has been named with the shape of its row.
    if (linked.has(collection) && typeof address === 'string' && isSafeLink(address)) {
      checkLinks(`<a href="${address}">`, places, note, name)
    }
  }
  if (collection === 'section_hero') checkHeroTexts(row, note)
}

/** What editors expect to see, and pages leave out (docs/contract.md, Content service). */
const leftOut = /<(iframe|video|audio|object|embed|form|svg)\b/gi

/** The links of a rich text, and what of it no page shows. */
function checkRichText(html: string, places: Places, note: Note, field: string): void {
  checkLinks(html, places, note, field)
  const names = new Set(Array.from(html.matchAll(leftOut), ([, name]) => name!.toLowerCase()))
  for (const name of names) {
    note(`<${name}> isn’t shown on pages; link to what it holds instead`, field, 'warning')
  }
}

/** Texts of the hero that phones do not show whole. */
function checkHeroTexts(row: StoredRow, note: Note): void {
  for (const field of ['title', 'subtitle'] as const) {
    const text = row[field]
    if (typeof text !== 'string') continue
    const [length, max] = [Array.from(text).length, heroTextLimits[field]]
    if (length > max) {
      note(`has ${length} characters; phones show the first ${max}`, field, 'warning')
    }
  }
}
