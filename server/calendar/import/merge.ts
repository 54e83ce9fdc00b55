import { eventId, type StoredEvent } from '../schema.ts'

/** A row of an imported file: an event, or what is wrong with the row. */
export type ImportRow =
  | { where: string; event: StoredEvent; problem: null }
  | {
      where: string
      event: null
      problem: string
      /** The id that it would have; of a repeating event, what those of its dates begin with. */
      id?: string
    }

/**
 * The rows of a file, where one that has the id of an earlier one and says something else is wrong: it
 * would replace the other.
 * @param place where a file has ids, for the advice
 */
export function rejectDuplicates(rows: readonly ImportRow[], place: string): ImportRow[] {
  const seen = new Map<string, { where: string; text: string }>()
  return rows.map((row) => {
    if (row.event === null) return row
    const { where, event } = row
    const [id, text] = [eventId(event), JSON.stringify(event)]
    const first = seen.get(id) ?? { where, text }
    seen.set(id, first)
    if (first.text === text) return row
    const same = `the same ID as ${first.where.charAt(0).toLowerCase()}${first.where.slice(1)}, “${id}”`
    return { where, event: null, problem: `${same}: give each its own ${place}` }
  })
}

/** How many events an import adds, changes and leaves as they are. */
export type ImportCounts = { added: number; changed: number; same: number }

/** Merges events into others by their ids. A field that an event does not say stays as it is. */
export function mergeEvents(rows: readonly StoredEvent[], given: readonly StoredEvent[]) {
  const before = new Map(rows.map((row) => [eventId(row), row]))
  const merged = new Map(before)
  let same = 0
  for (const event of given) {
    const known = merged.get(eventId(event))
    if (known && hasAllFieldsOf(known, { ...event, id: known.id })) {
      same += 1
      continue
    }
    merged.set(eventId(event), {
      Status: 'published',
      ...known,
      ...event,
      ...(known && { id: known.id }),
    })
  }
  const all = [...merged.values()]
  return {
    rows: all,
    added: all.filter((row) => !before.has(eventId(row))),
    changed: all.flatMap((after) => {
      const known = before.get(eventId(after))
      return known && known !== after ? [{ before: known, after }] : []
    }),
    same,
  }
}

/** Whether a row has every field of another one; what is missing is as good as empty. */
export const hasAllFieldsOf = (row: StoredEvent, event: StoredEvent): boolean =>
  Object.entries(event).every(
    ([field, value]) => ((row as Record<string, unknown>)[field] ?? null) === (value ?? null),
  )
