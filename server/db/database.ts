import type { Database as Connection, Statement } from 'better-sqlite3'
import { copyDatabase, emptyLog } from './database-files.ts'
import { mentions, withoutMentions } from '../text/mentions.ts'
import { createGroupCommit, type Commit, type Transaction } from './group-commit.ts'

/** A read-only statement. Values are bound by position, or by name from an object. */
export type ReadStatement = {
  /** The first row, or undefined. */
  get(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): unknown[]
  /** One row at a time; don't write until the last one has been read. */
  iterate(...values: readonly unknown[]): IterableIterator<unknown>
  /** Returns only the first column instead of rows. */
  pluck(): ReadStatement
}

/** A write statement; only works in a transaction opened by `commit`. */
export type WriteStatement = {
  /** @returns how many rows it changed */
  run(tx: Transaction, ...values: readonly unknown[]): { changes: number }
  /** For RETURNING: the first row, or undefined. */
  get(tx: Transaction, ...values: readonly unknown[]): unknown
  /** Makes `get` return only the first column. */
  pluck(): WriteStatement
}

/**
 * The database as stores see it: read at any time, write only in a transaction. The connection itself
 * stays in this folder.
 */
export type Database = {
  /** @throws if the statement would write; use `prepareWrite` */
  prepare(sql: string): ReadStatement
  prepareWrite(sql: string): WriteStatement
  /** Runs work in a transaction shared by concurrent requests. */
  readonly commit: Commit
  /**
   * Writes a page and leaves nothing in it. A transaction that changes nothing succeeds on a disk that
   * takes no byte any more, such as one that has become read-only or has used up its quota.
   * @throws as {@link Commit} does
   */
  proveWritable(): Promise<void>
  /** Copies its current state to a new file, without blocking reads and writes. */
  copyTo(file: string): Promise<void>
  /**
   * Purges deleted data from the write-ahead log.
   * @returns false while a reader needs an older state; the nightly upkeep retries
   */
  emptyLog(): Promise<boolean>
  /** Whether it is open. */
  isOpen(): boolean
  /** Waits for pending writes and closes the files. Idempotent. */
  close(): Promise<void>
}

/** When statements are prepared: at once, so that a mistake in one shows at the start, or by their first use. */
export type Preparing = 'at once' | 'when used'

/** What statements can ask of texts, beyond the functions of SQLite; NULL says nothing. */
function addFunctions(connection: Connection): void {
  const options = { deterministic: true }
  connection.function('mentions', options, (text: string | null, address: string) =>
    text !== null && mentions(text, address) ? 1 : 0,
  )
  connection.function('without_mentions', options, (text: string | null, address: string) =>
    text === null ? null : withoutMentions(text, address),
  )
}

/**
 * Wraps a connection, which must not be used directly afterwards.
 * @param preparing a single command uses few of the statements that the server knows
 */
export function createDatabase(connection: Connection, preparing: Preparing): Database {
  addFunctions(connection)
  const { commit, isOpen, close } = createGroupCommit(connection)

  const inTransaction = (tx: Transaction) => {
    if (!isOpen(tx)) throw new Error('This transaction has ended; write inside commit.')
  }
  const readStatement = (statement: () => Statement): ReadStatement => ({
    get: (...values) => statement().get(...values),
    all: (...values) => statement().all(...values),
    iterate: (...values) => statement().iterate(...values),
    pluck: () => readStatement(() => statement().pluck()),
  })
  const writeStatement = (statement: () => Statement): WriteStatement => ({
    run(tx, ...values) {
      inTransaction(tx)
      return statement().run(...values)
    },
    get(tx, ...values) {
      inTransaction(tx)
      return statement().get(...values)
    },
    pluck: () => writeStatement(() => statement().pluck()),
  })
  const prepared = (sql: string, check?: (statement: Statement) => void) => {
    let statement: Statement | null = null
    const prepare = () => {
      if (statement) return statement
      const made = connection.prepare(sql)
      check?.(made)
      return (statement = made)
    }
    if (preparing === 'at once') prepare()
    return prepare
  }

  let probing: readonly [Statement, Statement] | null = null
  /** Two statements that together change nothing: writing a row as it was would touch no page. */
  const probe = () =>
    (probing ??= [
      connection.prepare("INSERT INTO migrations VALUES (-1, '', '', '')"),
      connection.prepare('DELETE FROM migrations WHERE number = -1'),
    ])

  return {
    prepare: (sql) =>
      readStatement(
        prepared(sql, ({ readonly, reader }) => {
          // BEGIN and COMMIT count as reading, but return no rows.
          if (!readonly || !reader) throw new Error(`This statement isn’t read-only: ${sql}`)
        }),
      ),
    prepareWrite: (sql) => writeStatement(prepared(sql)),
    commit,
    proveWritable: () =>
      commit(
        () => {
          const [put, take] = probe()
          put.run()
          take.run()
        },
        { durable: false },
      ),
    copyTo: (file) => copyDatabase(connection.name, file),
    emptyLog: () => emptyLog(connection.name),
    isOpen: () => connection.open,
    async close() {
      await close()
      connection.close()
    },
  }
}
