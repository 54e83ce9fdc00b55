import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  collections,
  longTexts,
  type Collection,
  type LongTextCollection,
} from '#shared/content.ts'
import { createDirectus } from '#server/content/directus.ts'
import { endingOf } from '#server/content/media-types.ts'
import type { Reader, StoredRow } from '#server/content/reader.ts'
import { slugOf } from '#shared/slug.ts'

/** What has been copied. */
export type Pulled = { rows: number; texts: number; assets: number; missing: string[] }

/** A log that keeps quiet: a command says itself what went wrong. */
const quiet = { info() {}, warn() {}, debug() {}, error() {} } as never

/**
 * Copies what a Directus holds into a folder of content files: rows, long texts beside them, and
 * every file that one of them names.
 * @param from address and token; `dataDir` takes what the reader keeps on the way
 * @param dir where the files go
 * @returns what was copied, and the names of collections and files that are not there
 * @throws when the service does not answer
 */
export async function pullContent(
  from: { url: string; token: string | null; dataDir: string },
  dir: string,
): Promise<Pulled> {
  const pulled: Pulled = { rows: 0, texts: 0, assets: 0, missing: [] }
  const reader = createDirectus({ ...from, log: quiet, changed() {} })
  const write = async (file: string, content: string | Buffer) => {
    await mkdir(dirname(join(dir, file)), { recursive: true })
    await writeFile(join(dir, file), content)
  }
  /** The rows of a collection; none where the service has no such collection, or hides it. */
  const readRows = (collection: Collection) =>
    reader.rows(collection).catch((err: unknown) => {
      const status = err instanceof Error && 'upstream' in err ? err.upstream : null
      if (status !== 403 && status !== 404) throw err
      pulled.missing.push(collection)
      return []
    })
  try {
    const wanted = new Set<string>(['og-image'])
    const files = new Set<string>()
    for (const collection of collections) {
      const rows: StoredRow[] = []
      for (const stored of await readRows(collection)) {
        const row = plain(stored)
        for (const id of pictureIds(row)) wanted.add(id)
        if (collection in longTexts) {
          const html = await pullText(reader, collection as LongTextCollection, stored, from.url)
          const field = longTexts[collection as LongTextCollection]
          if (html !== null) {
            for (const id of assetIds(html)) wanted.add(id)
            const name = `${collection}/${fileName(stored)}`
            const file = files.has(name) ? `${name}-${slugOf(String(row.id))}.html` : `${name}.html`
            files.add(name)
            await write(file, html.endsWith('\n') ? html : `${html}\n`)
            row[field] = { $file: file }
            pulled.texts += 1
          }
        }
        rows.push(row)
      }
      if (rows.length === 0) continue
      pulled.rows += rows.length
      await write(`${collection}.json`, `${JSON.stringify(rows, null, 2)}\n`)
    }
    for (const id of wanted) {
      const original = await reader.asset(id)
      if (original) {
        await write(`assets/${id}.${endingOf(original.type)}`, await original.bytes())
        pulled.assets += 1
      } else if (id !== 'og-image') pulled.missing.push(id)
    }
    return pulled
  } finally {
    await reader.close()
  }
}

/** The long text of a row, with the pictures of the Directus as our own. */
async function pullText(
  reader: Reader,
  collection: LongTextCollection,
  row: StoredRow,
  url: string,
): Promise<string | null> {
  const html = await reader.text(collection, row)
  return html === null ? null : html.replaceAll(`${url}/assets/`, '/assets/')
}

/** A row without what only a Directus understands: file fields hold the id of the file. */
function plain(stored: StoredRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => {
      if (!fileFields.has(name)) return [name, value]
      return [name, Array.isArray(value) ? value.map(fileId) : fileId(value)]
    }),
  )
}

const fileFields = new Set(['image', 'photo', 'photo_url', 'og_image', 'images', 'gallery'])

function fileId(value: unknown): unknown {
  if (!(value instanceof Object)) return value
  if ('directus_files_id' in value) return fileId(value.directus_files_id)
  return 'id' in value ? value.id : null
}

/** Only what may be a file name; an address passes as it is and is not fetched. */
const pictureIds = (row: Record<string, unknown>): string[] =>
  [...fileFields]
    .flatMap((name) => row[name])
    .filter((id): id is string => typeof id === 'string' && /^[\w-]{1,80}$/.test(id))

const assetIds = (html: string) =>
  [...html.matchAll(/["'(\s]\/assets\/([\w-]{1,80})/g)].map(([, id]) => id!)

/** A name for the text of a row that is safe on every disk. */
function fileName({ slug, url, id }: StoredRow): string {
  const name = typeof slug === 'string' ? slug : typeof url === 'string' ? url : ''
  const readable = slugOf(name.replace(/^\/?services\//, '')).slice(0, 80)
  return readable || `row-${slugOf(String(id))}`
}
