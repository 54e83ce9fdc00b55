import { fieldsOf } from '../collections.ts'
import { withFallback } from '../concurrency/timeout.ts'
import type { StoredRow } from './collection.ts'
import { isValidField } from './published/rows.ts'
import type { Reader } from './reader.ts'

/** Fields that identify the agency legally; never mixed with those of another agency. */
const legal: ReadonlySet<string> = new Set(['legal_name', 'business_id', 'vat_id', 'iban', 'bic'])

/**
 * Fills missing or invalid settings of the service with those in the files, field by field. Settings
 * without a brand count as not filled in yet; with a brand, empty fields stay empty.
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
 * Wraps a reader so settings are never missing: if the service has none, hides them, is slow or
 * down, the site's own files fill in.
 * @param late called when the service's settings arrive after a reader got those of the files
 * @param timeout milliseconds that a reader waits for settings before it gets those of the files; those
 *   after it wait again once the service has answered
 */
export function withSettings<Source extends Reader>(
  reader: Source,
  files: Pick<Reader, 'rows' | 'close'>,
  late: () => void,
  timeout: number,
): Source {
  let last: { given: readonly StoredRow[]; ours: readonly StoredRow[]; rows: StoredRow[] } | null =
    null

  /** Whether a reader got those of the files. The next one doesn't wait for the same again. */
  let unanswered = false

  const answered = () => {
    if (!unanswered) return
    unanswered = false
    late()
  }

  async function settings(): Promise<readonly StoredRow[]> {
    const reading = reader.rows('settings')
    const given = await withFallback(reading, unanswered ? 0 : timeout, null).catch(() => null)
    if (given === null) {
      unanswered = true
      reading.then(answered, () => {})
    }
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
