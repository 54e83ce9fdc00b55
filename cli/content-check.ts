import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collections, longTextOf, type Collection } from '#server/collections.ts'
import { heroTextLimits } from '#shared/hero.ts'
import { servicePath } from '#shared/paths.ts'
import { besideContent } from '#server/beside-content.ts'
import { isSafeLink } from '#server/content/addresses.ts'
import type { Note } from '#server/content/beside.ts'
import { brokenAt } from '#server/content/json-position.ts'
import type { StoredRow } from '#server/content/stored-row.ts'
import { checkEventTimes } from './content-events.ts'
import { listContent } from './content-files.ts'
import { checkLinks, type Places } from './content-links.ts'
import { doubles, schemaProblems, slugsOf } from './content-rows.ts'

/** Something wrong with content; only errors keep it from being used. */
export type Finding = {
  level: 'error' | 'warning'
  file: string
  row: string | null
  field: string | null
  problem: string
}

const pictureFields = ['image', 'photo', 'photo_url', 'og_image', 'images', 'gallery'] as const

/** Collections whose `url` or `button_url` is where a link leads. */
const linked: ReadonlySet<Collection> = new Set(['menu_main', 'section_hero', 'events'])

/** Files as they are checked. */
type Checked = { file: string; rows: readonly StoredRow[] }

/**
 * Checks a content folder: rows against their schemas, references to texts, pictures and slugs,
 * alternative texts, doubles, links inside the site, and the rules of booking and the catalogue that
 * lie beside them. Drafts are checked like everything else.
 */
export async function checkContent(dir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const files = new Set(await listContent(dir))
  const noteOf =
    (file: string, row: StoredRow | null): Note =>
    (problem, field = null, level = 'error') =>
      void findings.push({ level, file, row: row ? nameOf(row) : null, field, problem })

  const all = new Map<Collection, Checked>()
  for (const collection of collections) {
    const file = `${collection}.json`
    if (!files.has(file)) continue
    all.set(collection, { file, rows: await readRows(dir, file, noteOf(file, null)) })
  }
  const rowsOf = (collection: Collection) => all.get(collection)?.rows ?? []
  const assets = new Set([...files].flatMap((file) => file.match(/^assets\/(.+)\.\w+$/)?.[1] ?? []))
  const alts = new Map(rowsOf('media').map(({ id, alt }) => [String(id), alt]))
  const places: Places = {
    assets,
    hasAlt: (id) => typeof alts.get(id) === 'string' && alts.get(id) !== '',
    services: new Set(rowsOf('services').map(({ url }) => servicePath(String(url)))),
    articles: new Set(rowsOf('news').flatMap(slugsOf)),
    projects: new Set(rowsOf('portfolio').flatMap(slugsOf)),
  }

  const used = new Set<string>()
  const checkPicture = (id: string, note: Note, field: string) => {
    used.add(id)
    if (/^https?:/.test(id)) return
    if (!assets.has(id)) note(`there is no file assets/${id}.*`, field)
    else if (!places.hasAlt(id)) note(`the picture ${id} has no alternative text`, field)
  }

  for (const [collection, { file, rows }] of all) {
    for (const problem of schemaProblems(collection, rows)) {
      noteOf(file, problem.row)(problem.problem, problem.field)
    }
    for (const { row, field, problem } of doubles(collection, rows)) {
      noteOf(file, row)(problem, field)
    }
    for (const row of rows) {
      const note = noteOf(file, row)
      for (const field of pictureFields) {
        for (const id of [row[field]].flat()) {
          if (typeof id === 'string' && id) checkPicture(id, note, field)
        }
      }
      const service = collection === 'services' ? null : row.service
      if (typeof service === 'string' && !places.services.has(servicePath(service))) {
        note(`there is no service "${service}"`, 'service')
      }
      if (collection === 'events') checkEventTimes(row, note)
      await checkText(collection, row, note)
      if (collection === 'section_hero') checkHeroTexts(row, note)
    }
  }
  for (const id of assets) {
    if (!used.has(id) && !places.hasAlt(id)) {
      noteOf('media.json', null)(`the picture ${id} has no alternative text`, null, 'warning')
    }
  }
  for (const { check } of besideContent) await check(dir, files, noteOf)
  return findings.toSorted((a, b) => Number(b.level === 'error') - Number(a.level === 'error'))

  /** The long text of a row, and every field that holds a link. */
  async function checkText(collection: Collection, row: StoredRow, note: Note): Promise<void> {
    const field = longTextOf(collection)
    const value = field && row[field]
    if (field && value instanceof Object && '$file' in value) {
      const path = String(value.$file)
      if (!files.has(path)) note(`there is no file ${path}`, field)
      else checkLinks(await readFile(join(dir, path), 'utf8'), places, note, field)
    } else if (field && typeof value === 'string') checkLinks(value, places, note, field)
    if (collection === 'faq' && typeof row.answer === 'string') {
      checkLinks(row.answer, places, note, 'answer')
    }
    for (const name of ['url', 'button_url'] as const) {
      const address = row[name]
      // One that is not safe has been named with the shape of its row.
      if (linked.has(collection) && typeof address === 'string' && isSafeLink(address)) {
        checkLinks(`<a href="${address}">`, places, note, name)
      }
    }
  }
}

/** Texts of the hero that phones do not show whole. */
function checkHeroTexts(row: StoredRow, note: Note): void {
  for (const field of ['title', 'subtitle'] as const) {
    const text = row[field]
    if (typeof text !== 'string') continue
    const [length, most] = [Array.from(text).length, heroTextLimits[field]]
    if (length > most) {
      note(`has ${length} characters; phones show the first ${most}`, field, 'warning')
    }
  }
}

function nameOf({ id, slug, title }: StoredRow): string {
  const named = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  return `${[id, slug, title].filter(named)[0] ?? '?'}`
}

async function readRows(dir: string, file: string, note: Note): Promise<StoredRow[]> {
  const source = await readFile(join(dir, file), 'utf8')
  try {
    const parsed: unknown = JSON.parse(source)
    if (!(parsed instanceof Object)) throw new SyntaxError('not an array of rows')
    const rows = (Array.isArray(parsed) ? parsed : [parsed]) as (StoredRow | null)[]
    return rows.filter((row, index): row is StoredRow => {
      const isRow = row instanceof Object && !Array.isArray(row)
      if (!isRow) note(`entry ${index + 1} is no row`)
      return isRow
    })
  } catch {
    const { line, column } = brokenAt(source)
    note(`is no JSON array of rows, from line ${line}, column ${column} on`)
    return []
  }
}

/** @throws when there are errors among the findings */
export function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ level }) => level === 'error').length
  if (errors > 0) throw new Error(`${errors} error(s) in the content.`)
}
