import type { Database } from 'better-sqlite3'

/**
 * Runs a piece of work inside a transaction and resolves with its value once the transaction is on
 * disk. When the work throws, only its own changes are undone and its error is handed on.
 */
export type Commit = <Value>(work: () => Value) => Promise<Value>

/** How long a write waits while another process writes, and between two tries, in milliseconds. */
const longestWait = 9_000
const pause = 25

/** Whether another process holds the database. */
const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY')

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
  const patience = db.pragma('busy_timeout', { simple: true }) as number
  const begin = db.prepare('BEGIN IMMEDIATE')
  const end = db.prepare('COMMIT')
  const abandon = db.prepare('ROLLBACK')
  const mark = db.prepare('SAVEPOINT work')
  const keep = db.prepare('RELEASE work')
  const undo = db.prepare('ROLLBACK TO work')
  let waiting: Waiting[] = []

  /** Begins without waiting for other processes: that wait would hold up every visitor. */
  const tryToBegin = () => {
    db.pragma('busy_timeout = 0')
    try {
      begin.run()
    } finally {
      db.pragma(`busy_timeout = ${patience}`)
    }
  }

  const flush = (until = performance.now() + longestWait) => {
    try {
      tryToBegin()
    } catch (error) {
      if (isBusy(error) && performance.now() < until) {
        setTimeout(flush, pause, until)
        return
      }
      const group = waiting
      waiting = []
      for (const { reject } of group) reject(error)
      return
    }
    const group = waiting
    waiting = []
    const settle: (() => void)[] = []
    try {
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
      if (waiting.length === 0) setImmediate(() => flush())
      waiting.push({ work, resolve, reject })
    })
}
