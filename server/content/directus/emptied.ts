import type { Collection } from '../../collections.ts'
import type { StoredRow } from '../collection.ts'
import { unavailable } from '../unavailable.ts'

/** Collections whose rows are suddenly all gone, and when that counts. */
export type Emptied = {
  /** A collection has come with rows. @param asked when it was asked for, by `performance.now` */
  hasRows(collection: Collection, rows: readonly StoredRow[], asked: number): void
  /**
   * A collection that had rows has come without any.
   * @throws failure `unavailable` while that doesn't count yet
   */
  seen(collection: Collection): void
}

/** So many collections without a row aren't an editor's work. */
const tooMany = 3

/**
 * Creates the check. One answer without rows, such as that of a service which is being restored, must
 * not empty the site; what an editor emptied goes once it has stayed empty for a while. If every
 * collection is empty at once, that is a fault of the service and not the work of an editor.
 * @param emptyFor how long a list has to stay empty, in milliseconds
 */
export function createEmptied(emptyFor: number): Emptied {
  /** Collections with rows on the site. */
  const filled = new Set<Collection>()
  const since = new Map<Collection, number>()
  /** When the last collection was asked for that had rows. */
  let lastAsked = -Infinity

  return {
    hasRows(collection, rows, asked) {
      // A singleton of an empty service is a row without an id.
      if (!rows.some(({ id }) => id !== null && id !== undefined)) return
      filled.add(collection)
      since.delete(collection)
      lastAsked = Math.max(lastAsked, asked)
    },
    seen(collection) {
      const now = performance.now()
      filled.add(collection)
      const began = since.get(collection) ?? now
      since.set(collection, began)
      if (now - began < emptyFor) throw explained(`${collection} has no rows any more`)
      if (filled.size >= tooMany && lastAsked < began) {
        throw explained('the content service has no rows any more, in any collection')
      }
      since.delete(collection)
      filled.delete(collection)
    },
  }
}

function explained(what: string): Error {
  const explanation = `${what}; showing the last ones`
  return Object.assign(unavailable(503, { cause: new Error(explanation) }), { explanation })
}
