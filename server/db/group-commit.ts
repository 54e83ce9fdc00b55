import type { Database } from 'better-sqlite3'

/**
 * Runs a piece of work inside a transaction and resolves with its value once the transaction is on
 * disk. When the work throws, only its own changes are undone and its error is handed on.
 */
export type Commit = <Value>(work: () => Value) => Promise<Value>

type Waiting = {
  work: () => unknown
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/**
 * Lets writes that arrive in the same turn of the event loop share one transaction, and so one wait
 * for the disk. That wait is by far the dearest part of a durable write, and concurrent visitors
 * need it only once between them.
 */
export function createGroupCommit(db: Database): Commit {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const end = db.prepare('COMMIT')
  const abandon = db.prepare('ROLLBACK')
  const mark = db.prepare('SAVEPOINT work')
  const keep = db.prepare('RELEASE work')
  const undo = db.prepare('ROLLBACK TO work')
  let waiting: Waiting[] = []

  const flush = () => {
    const group = waiting
    waiting = []
    const settle: (() => void)[] = []
    try {
      begin.run()
      for (const { work, resolve, reject } of group) {
        mark.run()
        try {
          const value = work() as never
          settle.push(() => resolve(value))
        } catch (error) {
          // A full disk ends the whole transaction; there is nothing left to go back to then.
          if (!db.inTransaction) throw error
          undo.run()
          settle.push(() => reject(error))
        }
        keep.run()
      }
      end.run()
    } catch (error) {
      if (db.inTransaction) abandon.run()
      for (const { reject } of group) reject(error)
      return
    }
    for (const done of settle) done()
  }

  return (work) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ work, resolve, reject })
    })
}
