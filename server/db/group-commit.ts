import { statSync } from 'node:fs'
import type { Database as Connection } from 'better-sqlite3'

declare const opened: unique symbol

/**
 * An open transaction. Only {@link Commit} hands one out and every write statement requires it, so
 * nothing can write outside of a commit.
 */
export type Transaction = { readonly [opened]: true }

/**
 * Runs work inside a transaction and resolves with its value once the transaction is on disk. If the
 * work throws, only its own changes are rolled back and the error is passed on.
 * @param work gets the transaction for its write statements; must be synchronous, since the
 *   transaction ends when it returns
 * @param options `durable: false` for what a power cut may lose, such as counts: not flushed to disk
 *   at once
 * @throws SQLITE_BUSY when another process held the database for {@link maxWriteWaitMs}; {@link isMoved}
 *   when its file isn't where it was opened
 */
export type Commit = <Value>(
  work: (tx: Transaction) => Value,
  options?: { durable?: boolean },
) => Promise<Value>

/** Milliseconds that a write waits for another process, and between two tries. */
export const maxWriteWaitMs = 9_000
const retryPauseMs = 25
/** The same during shutdown. */
const closingTimeout = 1_000
/** Milliseconds that one transaction may block the event loop; further writes get another. */
const maxTransactionMs = 20

type Waiting = {
  /** Runs the work. @returns settles its promise; call once everything is on disk */
  run: (tx: Transaction) => () => void
  durable: boolean
  /** By `performance.now()`, when to give up. */
  until: number
  reject: (error: unknown) => void
}

/** The only way to write to a database. */
export type GroupCommit = {
  commit: Commit
  /** Whether a transaction is still open. */
  isOpen(tx: Transaction): boolean
  /** Rejects further writes and waits up to a second for pending ones. */
  close(): Promise<void>
}

/**
 * Groups writes from the same turn of the event loop into one transaction, so they share the
 * wait for the disk, by far the slowest part of a durable write. While another process holds the
 * database, writes wait between turns of the event loop, so other requests are served.
 */
export function createGroupCommit(connection: Connection): GroupCommit {
  const { begin, end, abandon } = createTransactions(connection)
  const { runApart, isOpen } = createSavepoints(connection)
  let queue: Waiting[] = []
  let writeTimeout = maxWriteWaitMs
  let closing: Promise<void> | null = null

  const giveUp = (some: readonly Waiting[], error: unknown) => {
    for (const { reject } of some) reject(error)
  }

  /** Whether a transaction could begin; rejects writes that have waited too long. */
  const tryToBegin = (): boolean => {
    try {
      begin(queue.some(({ durable }) => durable))
      return true
    } catch (error) {
      const now = performance.now()
      const busy = isBusy(error)
      const late: Waiting[] = []
      const waits: Waiting[] = []
      for (const each of queue) (busy && each.until > now ? waits : late).push(each)
      queue = waits
      if (queue.length > 0) setTimeout(flush, retryPauseMs)
      giveUp(late, error)
      return false
    }
  }

  const flush = () => {
    if (!tryToBegin()) return
    const began = performance.now()
    const settle: (() => void)[] = []
    let taken = 0
    try {
      while (
        taken < queue.length &&
        (taken === 0 || performance.now() - began < maxTransactionMs)
      ) {
        taken += 1
        settle.push(runApart(queue[taken - 1]!))
      }
      end()
    } catch (error) {
      abandon()
      giveUp(queue.splice(0, taken), error)
      settle.length = 0
    }
    queue.splice(0, settle.length)
    if (queue.length > 0) setImmediate(flush)
    for (const done of settle) done()
  }

  const commit: Commit = (work, { durable = true } = {}) =>
    new Promise((resolve, reject) => {
      if (closing) return reject(new Error('The database is closed.'))
      if (queue.length === 0) setImmediate(flush)
      const run = (tx: Transaction) => {
        const value = work(tx)
        refusePromise(value)
        return () => resolve(value)
      }
      queue.push({ run, durable, until: performance.now() + writeTimeout, reject })
    })

  return {
    commit,
    isOpen,
    close() {
      writeTimeout = closingTimeout
      const until = performance.now() + closingTimeout
      for (const each of queue) each.until = Math.min(each.until, until)
      closing ??= commit(() => {}).catch(() => {})
      return closing
    },
  }
}

/** SQLite's own name for it, which it doesn't use with a write-ahead log. */
const moved = 'SQLITE_READONLY_DBMOVED'

/** Whether a write was refused because the database's file was moved, removed or replaced. */
export const isMoved = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === moved

/**
 * Makes the check that the file is still the one that was opened. What is written to one that was moved
 * away, or lies under a newer mount, is on disk and lost all the same: the next start doesn't see it.
 */
function createPlaceCheck({ name, memory }: Connection): () => void {
  const identity = () => {
    const found = statSync(name, { throwIfNoEntry: false })
    return found && `${found.dev}/${found.ino}`
  }
  const first = memory ? undefined : identity()
  return () => {
    if (memory || identity() === first) return
    throw Object.assign(
      new Error(
        `${name} was moved, removed or replaced while it was open, so nothing is saved. Put it back, or restart the server.`,
      ),
      { code: moved },
    )
  }
}

function createTransactions(connection: Connection) {
  const checkPlace = createPlaceCheck(connection)
  const begin = connection.prepare('BEGIN IMMEDIATE')
  const end = connection.prepare('COMMIT')
  const abandon = connection.prepare('ROLLBACK')
  let level = ''
  return {
    /** @throws SQLITE_BUSY while another process holds the database; what {@link createPlaceCheck} says */
    begin(durable: boolean): void {
      checkPlace()
      const wanted = durable ? 'FULL' : 'NORMAL'
      if (wanted !== level) connection.pragma(`synchronous = ${wanted}`)
      level = wanted
      begin.run()
    },
    end: (): void => void end.run(),
    abandon(): void {
      if (connection.inTransaction) abandon.run()
    },
  }
}

/** Runs each piece of work in a savepoint, so only its own changes are rolled back. */
function createSavepoints(connection: Connection) {
  const savepoint = connection.prepare('SAVEPOINT work')
  const releaseSavepoint = connection.prepare('RELEASE work')
  const rollBackToSavepoint = connection.prepare('ROLLBACK TO work')
  let current: Transaction | null = null

  /** @returns as {@link Waiting.run} */
  const runApart = ({ run, reject }: Waiting): (() => void) => {
    savepoint.run()
    try {
      return run((current = {} as Transaction))
    } catch (error) {
      // A full disk ends the whole transaction, savepoints included.
      if (!connection.inTransaction) throw error
      rollBackToSavepoint.run()
      return () => reject(error)
    } finally {
      current = null
      if (connection.inTransaction) releaseSavepoint.run()
    }
  }

  return { runApart, isOpen: (tx: Transaction) => tx === current }
}

/** @throws when the work of a transaction went on after its end */
function refusePromise(value: unknown): void {
  if (!(value instanceof Promise)) return
  value.catch(() => {})
  throw new Error('The work of a transaction must not be asynchronous.')
}

/** Whether another process holds the database. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY')
