import { LRUCache } from 'lru-cache'
import type { Collection, LongTextCollection } from '../../collections.ts'
import { eachInTurns } from '../../concurrency/in-turns.ts'
import { picturesIn, type FileAddresses } from '../addresses.ts'
import type { StoredRow } from '../collection.ts'
import type { Reader } from '../reader.ts'
import type { Pictures } from './pictures.ts'
import type { References } from './referenced-files.ts'
import type { CleanRichText } from './rich-text.ts'
import { fieldsOfKind, mapPictures, picturesOf } from './row-values.ts'
import type { Published } from './rows.ts'

/**
 * Completes visible rows in place: pictures become ids, rich fields safe HTML. Records the files they
 * name.
 */
export function createRowCompletion({
  addresses,
  clean,
  pictures,
  references,
}: {
  addresses: Pick<FileAddresses, 'assetId'>
  clean: CleanRichText
  pictures: () => Promise<Pictures>
  references: Pick<References, 'set'>
}): (collection: Collection, published: Published) => Promise<void> {
  return async (collection, { rows }) => {
    const named: string[] = []
    await eachInTurns(rows, (row) => {
      mapPictures(collection, row, addresses.assetId)
      named.push(...picturesOf(collection, row))
    })
    const fields = fieldsOfKind(collection, 'rich')
    if (fields.length > 0) {
      const { find } = await pictures()
      for (const row of rows as readonly Record<string, unknown>[]) {
        for (const field of fields) {
          if (typeof row[field] !== 'string') continue
          for (const id of picturesIn(row[field])) named.push(id)
          row[field] = await clean(row[field], find)
        }
      }
    }
    references.set(collection, named)
  }
}

/** The long texts of rows. */
export type LongTexts = {
  /** As it is stored; null where there is none. */
  stored(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** Sanitised. */
  safe(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** Only records the pictures in it. */
  note(collection: LongTextCollection, row: StoredRow): Promise<void>
}

/** Sanitised texts cached in memory. */
const keptTexts = 300

type Clean = { raw: string; media: unknown; versions: string; html: string }

/** Creates the reader of long texts, which records the files they name. */
export function createLongTexts({
  reader,
  clean,
  pictures,
  references,
}: {
  reader: Pick<Reader, 'text' | 'assetVersion' | 'lacks'>
  clean: CleanRichText
  pictures: () => Promise<Pictures>
  references: Pick<References, 'set'>
}): LongTexts {
  const kept = new LRUCache<string, Clean>({ max: keptTexts })
  const placeOf = (collection: LongTextCollection, { id }: StoredRow) =>
    `${collection}/${String(id)}`

  const versionsOf = async (given: Iterable<string>) => {
    const ids = [...new Set(given)]
    const versions = await Promise.all(ids.map((id) => reader.assetVersion(id)))
    return new Map(ids.map((id, index) => [id, versions[index]]))
  }

  async function read(collection: LongTextCollection, row: StoredRow): Promise<string | null> {
    const raw = await reader.text(collection, row)
    references.set(placeOf(collection, row), raw === null ? [] : picturesIn(raw))
    return raw
  }

  return {
    stored: read,
    async note(collection, row) {
      await read(collection, row)
    },
    async safe(collection, row) {
      const raw = await read(collection, row)
      if (raw === null) return null
      const { source: media, find } = await pictures()
      const place = placeOf(collection, row)
      // A replaced picture gets another address: browsers keep those without a version for days.
      const named = await versionsOf(picturesIn(raw))
      const versions = [...named.values()].join()
      const known = kept.get(place)
      if (known?.raw === raw && known.media === media && known.versions === versions) {
        return known.html
      }
      const lacking = new Set<string>()
      for (const id of named.keys()) if (await reader.lacks?.(id)) lacking.add(id)
      const html = await clean(raw, (id) =>
        lacking.has(id) ? null : { ...find(id), version: named.get(id) ?? null },
      )
      kept.set(place, { raw, media, versions, html })
      return html
    },
  }
}
