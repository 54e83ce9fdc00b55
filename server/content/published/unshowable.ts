import type { Collection } from '../../collections.ts'
import { eachInTurns, takeTurns } from '../../concurrency/in-turns.ts'
import type { StoredRow } from '../collection.ts'
import { checkRow, isPublished } from './rows.ts'

/**
 * Why not one row of a collection can be shown, though some are meant to be: a field was renamed, or
 * the rows are of another shape altogether. Null where one can, or none is meant to.
 */
export async function whyUnshowable(
  collection: Collection,
  rows: readonly StoredRow[],
): Promise<string | null> {
  const turn = takeTurns()
  const faults = new Map<string, number>()
  let meant = 0
  for (const row of rows) {
    if (isPublished(collection, row)) {
      const { row: found, left } = checkRow(collection, row)
      if (found) return null
      meant += 1
      for (const { field, problem } of left) {
        const fault = `${field}: ${problem}`
        faults.set(fault, (faults.get(fault) ?? 0) + 1)
      }
    }
    const wait = turn()
    if (wait) await wait
  }
  if (meant === 0) return null
  const [[fault] = ['']] = [...faults].toSorted(([, a], [, b]) => b - a)
  const none = meant === 1 ? 'its row can’t be shown' : `none of its ${meant} rows can be shown`
  return `${collection}: ${none}${fault && ` (${fault})`}`
}

/**
 * The last rows of a collection without those that its new version withdraws: what has been taken
 * down must not stay because of a mistake in other rows. The same array where nothing was withdrawn,
 * null where nothing is left to show.
 * @param now of which no row can be shown
 */
export async function lastShowable(
  collection: Collection,
  before: readonly StoredRow[],
  now: readonly StoredRow[],
): Promise<readonly StoredRow[] | null> {
  const meant = new Set<string>()
  const hidden = new Set<string>()
  let isNameless = false
  await eachInTurns(now, (row) => {
    const isMeant = isPublished(collection, row)
    const { id } = row
    if (typeof id === 'string' || typeof id === 'number') (isMeant ? meant : hidden).add(String(id))
    else isNameless ||= isMeant
  })
  const left: StoredRow[] = []
  let isShowable = false
  await eachInTurns(before, (row) => {
    const id = String(row.id)
    const isShown = isPublished(collection, row) && checkRow(collection, row).row !== null
    // Of rows without ids nobody can say which of the last ones they are.
    if (isShown && !meant.has(id) && (hidden.has(id) || !isNameless)) return
    isShowable ||= isShown
    left.push(row)
  })
  if (!isShowable) return null
  return left.length === before.length ? before : left
}
