import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collections, type Collection } from '../collections.ts'
import { servicePath } from '#shared/paths.ts'
import { extraContentFiles } from '../extra-content-files.ts'
import type { Note } from '../content/files/extra-content-files.ts'
import { brokenAt } from '../content/files/json-position.ts'
import type { StoredRow } from '../content/collection.ts'
import { sizeOf } from '../content/assets/transform.ts'
import { isFileId } from '../content/published/referenced-files.ts'
import { isRaster, servedType } from '../http/media-types.ts'
import { maxPixels } from '../images/sharp.ts'
import { decodedText } from '../text/decoded-text.ts'
import { checkEventTimes } from '../calendar/event-times.ts'
import { checkSessions } from '../calendar/sessions.ts'
import { listContent } from './files.ts'
import type { Places } from './links.ts'
import { doubles, schemaProblems, slugsOf, valueProblems } from './rows.ts'
import { checkTexts } from './texts.ts'

/** Something wrong with content; only errors keep it from being used. */
export type Finding = {
  level: 'error' | 'warning'
  file: string
  row: string | null
  field: string | null
  problem: string
}

const pictureFields = [
  'image',
  'photo',
  'photo_url',
  'og_image',
  'images',
  'gallery',
  'video_poster',
] as const

/** Fields that name a film or its captions: files without an alternative text. */
const filmFields = ['video', 'video_captions'] as const

/** Assets that aren't pictures. */
const filmFile = /^assets\/(.+)\.(?:mp4|webm|vtt)$/

/** The name of an asset without its ending. */
const assetName = /^assets\/(.+)\.\w+$/

/** Rows of a collection, with the name of their file. */
type Checked = { file: string; rows: readonly StoredRow[] }

/**
 * Checks a content folder: rows against their schemas, references to texts, pictures and slugs,
 * alternative texts, doubles, links inside the site, and the rules of booking and the catalogue that
 * lie beside them. Drafts are checked like everything else.
 * @param options `hasPictures` is false where files only stand for those of a Directus
 */
export async function checkContent(
  dir: string,
  { hasPictures = true }: { hasPictures?: boolean } = {},
): Promise<Finding[]> {
  const findings: Finding[] = []
  const files = new Set(await listContent(dir))
  const noteOf =
    (file: string, row: StoredRow | null): Note =>
    (problem, field = null, level = 'error') =>
      void findings.push({ level, file, row: row ? nameOf(row) : null, field, problem })

  const all = await readCollections(dir, files, noteOf)
  const places = placesOf(files, all, await unservedOf(dir, files))
  const used = new Set<string>()
  for (const [collection, { file, rows }] of all) {
    const wrong = new Map<StoredRow, Set<string>>()
    for (const { row, field, problem } of schemaProblems(collection, rows)) {
      noteOf(file, row)(problem, field)
      wrong.set(row, (wrong.get(row) ?? new Set()).add(field))
    }
    for (const { row, field, problem } of doubles(collection, rows)) {
      noteOf(file, row)(problem, field)
    }
    for (const row of rows) {
      const note = noteOf(file, row)
      for (const { field, problem, level } of valueProblems(collection, row)) {
        if (!wrong.get(row)?.has(field)) note(problem, field, level)
      }
      for (const { id, field } of idsIn(row, pictureFields)) {
        used.add(id)
        checkPicture(id, places, note, field)
      }
      for (const { id, field } of idsIn(row, filmFields)) checkFile(id, places, note, field)
      const service = collection === 'services' ? null : row.service
      if (typeof service === 'string' && !places.services.has(servicePath(service))) {
        note(`unknown service "${service}"`, 'service')
      }
      if (collection === 'events') {
        checkEventTimes(row, note)
        checkSessions(row, note)
      }
      await checkTexts(collection, row, { dir, files, places }, note)
    }
  }
  for (const file of files) {
    const [, name] = assetName.exec(file) ?? []
    if (name === undefined || isFileId(name)) continue
    const problem = 'no page can show a file of this name; use letters, digits, - and _'
    noteOf(file, null)(problem, null, 'warning')
  }
  if (hasPictures) await checkFiles(dir, files, { used, noteOf })
  const films = new Set([...files].map((file) => filmFile.exec(file)?.[1]))
  for (const id of places.assets) {
    if (films.has(id)) continue
    if (!used.has(id) && !places.hasAlt(id)) {
      noteOf('media.json', null)(`image ${id} has no alt text`, null, 'warning')
    }
  }
  for (const { check } of extraContentFiles) await check(dir, files, noteOf)
  return findings.toSorted((a, b) => Number(b.level === 'error') - Number(a.level === 'error'))
}

async function readCollections(
  dir: string,
  files: ReadonlySet<string>,
  noteOf: (file: string, row: null) => Note,
): Promise<Map<Collection, Checked>> {
  const all = new Map<Collection, Checked>()
  for (const collection of collections) {
    const file = `${collection}.json`
    if (!files.has(file)) continue
    all.set(collection, { file, rows: await readRows(dir, file, noteOf(file, null)) })
  }
  return all
}

async function readRows(dir: string, file: string, note: Note): Promise<StoredRow[]> {
  const source = decodedText(await readFile(join(dir, file)))
  try {
    const parsed: unknown = JSON.parse(source)
    if (!(parsed instanceof Object)) throw new SyntaxError('not an array of rows')
    const rows = (Array.isArray(parsed) ? parsed : [parsed]) as (StoredRow | null)[]
    return rows.filter((row, index): row is StoredRow => {
      const isRow = row instanceof Object && !Array.isArray(row)
      if (!isRow) note(`entry ${index + 1} is not an object`)
      return isRow
    })
  } catch {
    const { line, column } = brokenAt(source)
    note(`not a JSON array of rows (line ${line}, column ${column})`)
    return []
  }
}

/** What links, pictures and services of the content may lead to. */
function placesOf(
  files: ReadonlySet<string>,
  all: ReadonlyMap<Collection, Checked>,
  unserved: Places['unserved'],
): Places {
  const rowsOf = (collection: Collection) => all.get(collection)?.rows ?? []
  const alts = new Map(rowsOf('media').map(({ id, alt }) => [String(id), alt]))
  return {
    assets: new Set([...files].flatMap((file) => assetName.exec(file)?.[1] ?? []).filter(isFileId)),
    unserved,
    hasAlt: (id) => typeof alts.get(id) === 'string' && alts.get(id) !== '',
    services: new Set(rowsOf('services').map(({ url }) => servicePath(String(url)))),
    articles: new Set(rowsOf('news').flatMap(slugsOf)),
    projects: new Set(rowsOf('portfolio').flatMap(slugsOf)),
    events: new Set(rowsOf('events').map(({ id }) => String(id))),
  }
}

/** The files that a row names in some of its fields. */
function idsIn(row: StoredRow, fields: readonly string[]): { id: string; field: string }[] {
  return fields.flatMap((field) =>
    [row[field]]
      .flat()
      .filter((id): id is string => typeof id === 'string' && id !== '')
      .map((id) => ({ id, field })),
  )
}

function checkPicture(id: string, places: Places, note: Note, field: string): void {
  if (checkFile(id, places, note, field) && !places.hasAlt(id)) {
    note(`image ${id} has no alt text`, field)
  }
}

/** Whether an asset is there. */
function checkFile(id: string, { assets, unserved }: Places, note: Note, field: string): boolean {
  const isThere = assets.has(id)
  if (isThere || /^https?:/.test(id)) return isThere
  const other = unserved.get(id)
  const withoutEnding = id.replace(/\.\w+$/, '')
  if (other !== undefined) note(`${other} is of a kind that isn’t shown; ${kinds}`, field)
  else if (assets.has(withoutEnding)) {
    note(`file not found: assets/${id}.*; leave out the ending: ${withoutEnding}`, field)
  } else note(`file not found: assets/${id}.*`, field)
  return false
}

const kinds = 'save it as JPEG, PNG, WebP or AVIF'

/** Files among the assets that no page is given, such as HEIC, by their name without its ending. */
async function unservedOf(dir: string, files: ReadonlySet<string>): Promise<Map<string, string>> {
  const names = await readdir(join(dir, 'assets')).catch(() => [])
  const others = names.map((name) => `assets/${name}`).filter((file) => !files.has(file))
  return new Map(others.map((file) => [assetName.exec(file)?.[1] ?? '', file]))
}

/** Names pictures that are there, and that pages or others can’t show all the same. */
async function checkFiles(
  dir: string,
  files: ReadonlySet<string>,
  { used, noteOf }: { used: ReadonlySet<string>; noteOf: (file: string, row: null) => Note },
): Promise<void> {
  for (const file of files) {
    const id = assetName.exec(file)?.[1]
    if (id === undefined) continue
    const type = servedType(file) ?? ''
    const note = (problem: string) => noteOf(file, null)(problem, null, 'warning')
    if (isRaster(type)) {
      const size = await sizeOf(join(dir, file)).catch((error: Error) => error)
      if (!(size instanceof Error)) continue
      note(
        size.message.includes('pixel limit')
          ? `has more than ${maxPixels / 1e6} million pixels, so no page can show it; make it smaller`
          : 'can’t be read as a picture, so no page can show it',
      )
    } else if (type === 'image/svg+xml' && used.has(id)) {
      note(`isn’t cut to size, and not shown where a link to its page is shared; ${kinds}`)
    }
  }
}

function nameOf({ id, slug, title }: StoredRow): string {
  const named = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  return `${[id, slug, title].filter(named)[0] ?? '?'}`
}
