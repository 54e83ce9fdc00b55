import { Temporal } from 'temporal-polyfill'
import type { StoredRow } from '#server/content/stored-row.ts'
import type { Note } from '#server/content/beside.ts'

/**
 * Looks for local times that a zone never shows, because its clocks go forward over them. The site
 * would take the time after; whoever wrote it down should say what was meant. What is no time, or
 * has no zone, is found with the rest of the row.
 */
export function checkEventTimes(row: StoredRow, note: Note): void {
  for (const field of ['start', 'end'] as const) {
    const given = row[field]
    if (typeof given !== 'string' || !given.includes('T') || typeof row.zone !== 'string') continue
    const [local, shown] = timesOf(given, row.zone)
    if (local && shown && !local.equals(shown)) {
      note(`the clocks of ${row.zone} never show ${given}: they go forward`, field)
    }
  }
}

/** A local time as it is written, and as the clocks of a zone show it. */
function timesOf(given: string, zone: string): [Temporal.PlainDateTime?, Temporal.PlainDateTime?] {
  try {
    const local = Temporal.PlainDateTime.from(given)
    return [local, local.toZonedDateTime(zone).toPlainDateTime()]
  } catch {
    return []
  }
}
