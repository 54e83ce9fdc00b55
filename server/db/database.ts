import type { Database as Connection, Statement } from 'better-sqlite3'
import { copyDatabase } from './copy.ts'
import { createGroupCommit, type Commit, type Transaction } from './group-commit.ts'

/** A statement that only reads. Values are bound by position, or by name from an object. */
export type ReadStatement = {
  /** The first row, or undefined. */
  get(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): unknown[]
  /** One row at a time; nothing may be written before the last one was taken. */
  iterate(...values: readonly unknown[]): IterableIterator<unknown>
  /** Makes it give the first column alone instead of rows. */
  pluck(): ReadStatement
}

/** A statement that writes, which it does only in a transaction that `commit` has opened. */
export type WriteStatement = {
  /** @returns how many rows it changed */
  run(tx: Transaction, ...values: readonly unknown[]): { changes: number }
  /** For RETURNING: the first row, or undefined. */
  get(tx: Transaction, ...values: readonly unknown[]): unknown
  /** Makes `get` give the first column alone. */
  pluck(): WriteStatement
}

/**
 * The database as stores see it: reading at any time, writing in a transaction alone. The
 * connection itself stays in this folder.
 */
export type Database = {
  /** @throws when the statement would write; see `prepareWrite` */
  prepare(sql: string): ReadStatement
  prepareWrite(sql: string): WriteStatement
  /** Runs work in a transaction that concurrent requests share. */
  readonly commit: Commit
  /** Copies it, as it is at this moment, into a file that is not there yet; reads and writes go on meanwhile. */
  copyTo(file: string): Promise<void>
  /** Whether it can still be read. */
  isOpen(): boolean
  /** Waits for the writes that were taken, and lets go of the files. Twice is harmless. */
  close(): Promise<void>
}

/** Puts a connection behind {@link Database}, which is then the only one to use it. */
export function createDatabase(connection: Connection): Database {
  const { commit, isOpen, close } = createGroupCommit(connection)

  const inTransaction = (tx: Transaction) => {
    if (!isOpen(tx)) throw new Error('This transaction has ended; write inside of commit.')
  }
  const readStatement = (statement: Statement): ReadStatement => ({
    get: (...values) => statement.get(...values),
    all: (...values) => statement.all(...values),
    iterate: (...values) => statement.iterate(...values),
    pluck: () => readStatement(statement.pluck()),
  })
  const writeStatement = (statement: Statement): WriteStatement => ({
    run(tx, ...values) {
      inTransaction(tx)
      return statement.run(...values)
    },
    get(tx, ...values) {
      inTransaction(tx)
      return statement.get(...values)
    },
    pluck: () => writeStatement(statement.pluck()),
  })

  return {
    prepare(sql) {
      const statement = connection.prepare(sql)
      // BEGIN and COMMIT count as reading, but return no rows.
      if (!statement.readonly || !statement.reader) {
        throw new Error(`This statement does not only read: ${sql}`)
      }
      return readStatement(statement)
    },
    prepareWrite: (sql) => writeStatement(connection.prepare(sql)),
    commit,
    copyTo: (file) => copyDatabase(connection.name, file),
    isOpen: () => connection.open,
    async close() {
      await close()
      connection.close()
    },
  }
}
