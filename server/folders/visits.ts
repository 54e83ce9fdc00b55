import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Keys } from '../secret-key.ts'

/** What tells one visitor from another. */
export type Visitor = Pick<RequestContext, 'address' | 'userAgent'>

/** What a visitor, known by a keyed hash of the day, did in a folder on that day. */
export type Visit = { folder: number; day: string; visitor: string; what: string }

/** Visits of the last days; the only place with their SQL. */
export type Visits = {
  visitorOf(day: string, visitor: Visitor): string
  has(visit: Visit): boolean
  /** Whether a visit can be remembered: made-up names cannot fill the table. */
  hasRoom(folder: number, day: string): boolean
  /** Belongs into a transaction. @returns whether it was new */
  remember(tx: Transaction, visit: Visit): boolean
  /** Forgets who was here before a day. */
  forget(tx: Transaction, day: string): void
}

/** Visits of a folder on one day that are told from each other; beyond, each counts as another. */
const mostSeen = 10_000

/** Prepares the statements of visits. */
export function createVisits(db: Database, keys: Keys): Visits {
  const see = db.prepareWrite(`INSERT INTO folder_seen VALUES (:folder, :day, :visitor, :what)
    ON CONFLICT DO NOTHING`)
  const seen = db.prepare(`SELECT 1 FROM folder_seen
    WHERE folder = :folder AND day = :day AND visitor = :visitor AND what = :what`)
  const forget = db.prepareWrite('DELETE FROM folder_seen WHERE day < :day')
  /** How many visits are remembered, by folder and day; of today alone. */
  const remembered = new Map<string, number>()
  const countSeen = db
    .prepare('SELECT count(*) FROM folder_seen WHERE folder = :folder AND day = :day')
    .pluck()

  return {
    visitorOf: (day, { address, userAgent }) =>
      keys.hash('folder-visitor', JSON.stringify([day, address, userAgent])).slice(0, 22),
    has: (visit) => seen.get(visit) !== undefined,
    hasRoom(folder, day) {
      const key = `${day}:${folder}`
      let count = remembered.get(key)
      if (count === undefined) {
        for (const known of remembered.keys()) if (!known.startsWith(day)) remembered.delete(known)
        count = countSeen.get({ folder, day }) as number
        remembered.set(key, count)
      }
      return count < mostSeen
    },
    remember(tx, visit) {
      const isNew = see.run(tx, visit).changes === 1
      const key = `${visit.day}:${visit.folder}`
      if (isNew) remembered.set(key, (remembered.get(key) ?? 0) + 1)
      return isNew
    },
    forget: (tx, day) => void forget.run(tx, { day }),
  }
}
