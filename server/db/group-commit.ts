import type { Database as Connection } from 'better-sqlite3'

declare const opened: unique symbol

/**
 * A transaction that is open now. Only {@link Commit} hands one out, and every writing statement
 * asks for it, so nothing can write beside the commit.
 */
export type Transaction = { readonly [opened]: true }

/**
 * Runs a piece of work inside a transaction and resolves with its value once the transaction is on
 * disk. When the work throws, only its own changes are undone and its error is handed on.
 * @param work gets the transaction for its writing statements; it must not wait for anything, since
 *   the transaction ends when it returns
 * @param options `durable: false` for what may be lost with the power, such as counts: it is
 *   not flushed to the disk at once
 * @throws SQLITE_BUSY when another process held the database for {@link longestWait}
 */
export type Commit = <Value>(
  work: (tx: Transaction) => Value,
  options?: { durable?: boolean },
) => Promise<Value>

/** How long a write waits while another process writes, and between two tries, in milliseconds. */
export const longestWait = 9_000
const retryPauseMs = 25
/** How long writes wait when the site is about to stop. */
const closingTimeout = 1_000
/** How long one transaction may hold up the event loop before the rest gets another, in milliseconds. */
const longestTransactionMs = 20

type Waiting = {
  /** Does the work. @returns what tells its sender, once everything is on disk */
  run: (tx: Transaction) => () => void
  durable: boolean
  /** By `performance.now()`, when to give up. */
  until: number
  reject: (error: unknown) => void
}

/** The one way to write to a database, and what its writing statements check against. */
export type GroupCommit = {
  commit: Commit
  /** Whether a transaction is the one that is open now. */
  isOpen(tx: Transaction): boolean
  /** Takes no further writes and waits for those that were taken, a second at most. */
  close(): Promise<void>
}

/**
 * Lets writes that arrive in the same turn of the event loop share one transaction, and so one wait
 * for the disk. That wait is by far the slowest part of a durable write, and concurrent requests
 * share it. While another process holds the database the writes wait between
 * turns of the event loop, so that other requests are served.
 */
export function createGroupCommit(connection: Connection): GroupCommit {
  const { begin, end, abandon } = createTransactions(connection)
  const { runApart, isOpen } = createSavepoints(connection)
  let queue: Waiting[] = []
  let writeTimeout = longestWait
  let closing: Promise<void> | null = null

  const giveUp = (some: readonly Waiting[], error: unknown) => {
    for (const { reject } of some) reject(error)
  }

  /** Whether the transaction could begin; writes that have waited too long are told why not. */
  const tryToBegin = (): boolean => {
    try {
      begin(queue.some(({ durable }) => durable))
      return true
    } catch (error) {
      const now = performance.now()
      const waits = isBusy(error) ? queue.filter(({ until }) => until > now) : []
      const late = queue.filter((each) => !waits.includes(each))
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
        (taken === 0 || performance.now() - began < longestTransactionMs)
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

/** Makes what begins and ends transactions. */
function createTransactions(connection: Connection) {
  const begin = connection.prepare('BEGIN IMMEDIATE')
  const end = connection.prepare('COMMIT')
  const abandon = connection.prepare('ROLLBACK')
  let level = ''
  return {
    /** @throws SQLITE_BUSY while another process holds the database */
    begin(durable: boolean): void {
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

/** Makes what runs one piece of work inside a transaction, so that it alone is undone when it fails. */
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
      // A full disk ends the whole transaction; there is nothing left to go back to then.
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
const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY')
