import type { Collection } from '../collections.ts'
import { picturesIn, type FileAddresses } from './file-addresses.ts'
import type { Pictures } from './pictures.ts'
import type { References } from './references.ts'
import type { CleanRichText } from './rich-text.ts'
import { fieldsOfKind, mapPictures, picturesOf } from './row-values.ts'
import type { Published } from './rows.ts'

/**
 * Makes the completion of visible rows in place: pictures by their ids, rich fields safe. What they
 * name is remembered.
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
    for (const row of rows) mapPictures(collection, row, addresses.assetId)
    const named = rows.flatMap((row) => picturesOf(collection, row))
    const fields = fieldsOfKind(collection, 'rich')
    if (fields.length > 0) {
      const { find } = await pictures()
      for (const row of rows as readonly Record<string, unknown>[]) {
        for (const field of fields) {
          if (typeof row[field] !== 'string') continue
          named.push(...picturesIn(row[field]))
          row[field] = await clean(row[field], find)
        }
      }
    }
    references.set(collection, named)
  }
}
