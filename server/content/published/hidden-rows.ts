import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { LongTextCollection, Row } from '../../collections.ts'
import type { FileAddresses } from '../addresses.ts'
import type { StoredRow } from '../collection.ts'
import type { Reader } from '../reader.ts'
import type { LongTexts } from './clean-rows.ts'
import type { References } from './referenced-files.ts'
import { mapPictures, picturesOf } from './row-values.ts'
import { filterPublished } from './rows.ts'

/**
 * Finds a valid row that isn't public yet by field values, with its long text as safe HTML; null for
 * none.
 */
export type FindHidden = <Name extends LongTextCollection>(
  collection: Name,
  values: Readonly<Record<string, string>>,
) => Promise<{ row: Row<Name>; text: string | null } | null>

/** For rows that are only asked whether they are public. */
const silent: Pick<Logger, 'warn'> = { warn() {} }

/** Reads drafts and scheduled rows, for previews only. */
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
  /** Findings already logged: previews are requested more often than they change. */
  const logged = new LRUCache<string, true>({ max: 1_000 })
  const once: Pick<Logger, 'warn'> = {
    warn(finding: object, message?: string) {
      const key = JSON.stringify(finding)
      if (!logged.has(key)) log.warn(finding, message)
      logged.set(key, true)
    },
  }

  const holds = (stored: unknown, value: unknown) =>
    Array.isArray(stored) ? stored.includes(value) : stored === value

  return async (collection, values) => {
    const isHidden = (each: StoredRow) =>
      filterPublished(collection, [each], { now: clock(), log: silent }).shown.length === 0
    const stored = (await reader.rows(collection)).find(
      (each) =>
        Object.entries(values).every(([field, value]) => holds(each[field], value)) &&
        isHidden(each),
    )
    if (!stored) return null
    // As it will look once published; now if no date is set.
    const published = {
      ...stored,
      status: 'published',
      published_at: stored.published_at ?? new Date(clock()).toISOString(),
    }
    const [found] = filterPublished(collection, [published], { now: Infinity, log: once }).shown
    if (!found) return null
    mapPictures(collection, found.row, addresses.assetId)
    references.set(`hidden/${collection}/${String(stored.id)}`, picturesOf(collection, found.row))
    return { row: found.row, text: await texts.safe(collection, stored) }
  }
}
