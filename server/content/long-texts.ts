import { LRUCache } from 'lru-cache'
import type { LongTextCollection } from '../collections.ts'
import { picturesIn } from './file-addresses.ts'
import type { Pictures } from './pictures.ts'
import type { Reader } from './reader.ts'
import type { StoredRow } from './stored-row.ts'
import type { References } from './references.ts'
import type { CleanRichText } from './rich-text.ts'

/** The long texts of rows. */
export type LongTexts = {
  /** As it is stored; null where there is none. */
  stored(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** As safe HTML. */
  safe(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** Only takes note of the pictures in it. */
  note(collection: LongTextCollection, row: StoredRow): Promise<void>
}

/** How many clean texts are kept in memory. */
const keptTexts = 300

type Clean = { raw: string; media: unknown; html: string }

/** Makes the reading of long texts; what they name is remembered. */
export function createLongTexts({
  reader,
  clean,
  pictures,
  references,
}: {
  reader: Pick<Reader, 'text'>
  clean: CleanRichText
  pictures: () => Promise<Pictures>
  references: Pick<References, 'set'>
}): LongTexts {
  const kept = new LRUCache<string, Clean>({ max: keptTexts })
  const placeOf = (collection: LongTextCollection, { id }: StoredRow) =>
    `${collection}/${String(id)}`

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
      const known = kept.get(place)
      if (known?.raw === raw && known.media === media) return known.html
      const html = await clean(raw, find)
      kept.set(place, { raw, media, html })
      return html
    },
  }
}
