import { fieldsOf } from '../collections.ts'
import { withFallback } from '../timeout.ts'
import type { Reader } from './reader.ts'
import type { StoredRow } from './stored-row.ts'
import { isValidField } from './rows.ts'

/** What says who the agency is in law: never taken from another agency's settings. */
const legal: ReadonlySet<string> = new Set(['legal_name', 'business_id', 'vat_id', 'iban', 'bic'])

/** How long a page waits for settings that the files have too, in milliseconds. */
const readTimeout = 1_500

/**
 * Completes the settings of a service by those of the files, field by field: what it does not have,
 * or has in a way that cannot be shown. Settings that are not filled in yet name no brand; of
 * those that do, an empty field stays empty.
 */
function completed(given: StoredRow, ours: StoredRow): StoredRow {
  const isEmpty = (name: string) => given[name] === null || given[name] === ''
  const isGood = (name: string) =>
    given[name] !== undefined && isValidField('settings', name, given) && !isEmpty(name)
  const filled = isGood('brand')
  const row: Record<string, unknown> = { ...given }
  for (const name of fieldsOf('settings')) {
    if (isGood(name) || (filled && legal.has(name))) continue
    const left = filled && isEmpty(name) && isValidField('settings', name, given)
    if (!left) row[name] = ours[name]
  }
  return row
}

/**
 * A reader whose settings are never missing: a service that has none, hides them, is slow or down
 * is completed by the files of the site.
 * @param late called when the service's own come after a reader was given those of the files
 */
export function withSettings<Source extends Reader>(
  reader: Source,
  files: Pick<Reader, 'rows' | 'close'>,
  late: () => void,
): Source {
  let last: { given: readonly StoredRow[]; ours: readonly StoredRow[]; rows: StoredRow[] } | null =
    null

  async function settings(): Promise<readonly StoredRow[]> {
    const reading = reader.rows('settings')
    const given = await withFallback(reading, readTimeout, null).catch(() => null)
    if (given === null) reading.then(late, () => {})
    const ours = await files.rows('settings').catch(() => [])
    const [own] = ours
    if (!own) return given ?? (await reading)
    if (!given || given.length === 0) return ours
    if (last?.given !== given || last.ours !== ours) {
      last = { given, ours, rows: [completed(given[0]!, own), ...given.slice(1)] }
    }
    return last.rows
  }

  return {
    ...reader,
    rows: (collection) => (collection === 'settings' ? settings() : reader.rows(collection)),
    async close() {
      await Promise.all([reader.close(), files.close()])
    },
  }
}
