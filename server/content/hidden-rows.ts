import type { Logger } from 'pino'
import type { LongTextCollection, Row } from '../collections.ts'
import type { FileAddresses } from './file-addresses.ts'
import type { LongTexts } from './long-texts.ts'
import type { Reader } from './reader.ts'
import type { References } from './references.ts'
import { mapPictures, picturesOf } from './row-values.ts'
import { filterPublished } from './rows.ts'

/**
 * Finds a valid row that is not public yet, with its long text as safe HTML; null where no row has
 * these values.
 */
export type FindHidden = <Name extends LongTextCollection>(
  collection: Name,
  values: Readonly<Record<string, string>>,
) => Promise<{ row: Row<Name>; text: string | null } | null>

/** Makes the reading of drafts and of rows of the future, for previews alone. */
export function createHiddenRows({
  reader,
  addresses,
  texts,
  references,
  log,
  clock,
}: {
  reader: Pick<Reader, 'rows'>
  addresses: Pick<FileAddresses, 'assetId'>
  texts: Pick<LongTexts, 'safe'>
  references: Pick<References, 'set'>
  log: Pick<Logger, 'warn'>
  clock: () => number
}): FindHidden {
  return async (collection, values) => {
    const stored = (await reader.rows(collection)).find((each) =>
      Object.entries(values).every(([field, value]) => each[field] === value),
    )
    if (!stored) return null
    // As it will be once it is published, and now where no day is set.
    const published = {
      ...stored,
      status: 'published',
      published_at: stored.published_at ?? new Date(clock()).toISOString(),
    }
    const [found] = filterPublished(collection, [published], { now: Infinity, log }).shown
    if (!found) return null
    mapPictures(collection, found.row, addresses.assetId)
    references.set(`hidden/${collection}/${String(stored.id)}`, picturesOf(collection, found.row))
    return { row: found.row, text: await texts.safe(collection, stored) }
  }
}
