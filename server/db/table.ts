import type { Schema } from '#shared/endpoint.ts'
import type { Database } from './database.ts'
import type { Transaction } from './group-commit.ts'

/** What SQLite keeps; booleans and JSON are kept as one of these. */
type Stored = string | number | bigint | Buffer | null

/** How one column is kept by SQLite and known to the code. Made by {@link text}, {@link flag} and so on. */
export type Column<Value, Made extends boolean = false> = {
  /** Its name in the table; null for the property's name in snake case. */
  readonly name: string | null
  readonly type: 'TEXT' | 'INTEGER' | 'REAL' | 'BLOB'
  readonly nullable: boolean
  /** Whether the database gives the value, so no insert names it. */
  readonly made: Made
  encode(value: Value): Stored
  /** @throws when the column holds something else */
  decode(stored: unknown): Value
}

type Columns = Readonly<Record<string, Column<unknown, boolean>>>

/** The row of a table as the code knows it. */
export type RowOf<Some extends { readonly shape: Columns }> = Row<Some['shape']>

type Row<Shape extends Columns> = {
  readonly [Key in keyof Shape]: Shape[Key] extends Column<infer Value, boolean> ? Value : never
}

/** What an insert has to say: every column but those that the database makes. */
export type NewRowOf<Some extends { readonly shape: Columns }> = NewRow<Some['shape']>

type NewRow<Shape extends Columns> = {
  readonly [Key in keyof Shape as Shape[Key]['made'] extends true ? never : Key]: Row<Shape>[Key]
}

/** Named values of a statement's conditions. */
type Conditions = Readonly<Record<string, Stored>>

/** A reading statement whose rows have a type. */
export type Select<Result> = {
  /** The first row, or null. */
  get(conditions?: Conditions): Result | null
  all(conditions?: Conditions): Result[]
  /** One row at a time; nothing may be written before the last one was taken. */
  iterate(conditions?: Conditions): IterableIterator<Result>
}

/**
 * A table whose columns are said once: statements name all of them, rows are decoded by them, and a
 * column that an insert forgets is a type error. A noun's tables are in `server/<noun>/schema.ts`, where
 * `tests/server/db/table.test.ts` compares each of them with the one that the migrations make.
 */
export type Table<Shape extends Columns> = {
  readonly name: string
  readonly shape: Shape
  /** The list for a SELECT, with each column under its property's name. */
  readonly columns: string
  /** Decodes a row that was selected by {@link columns}. */
  read(row: unknown): Row<Shape>
  /** @param rest of the statement, from WHERE on; values by name, such as `:email` */
  select(db: Database, rest: string): Select<Row<Shape>>
  /**
   * @param onConflict such as `ON CONFLICT DO NOTHING`
   * @param computed columns that the database makes from an expression of this statement, such as
   *   `newNumber` of `numbers.ts`
   * @returns a function that inserts a row; call it inside a transaction. It takes the values that the
   *   expressions name, and returns the row as it is kept, or null when there was a conflict
   */
  insert(
    db: Database,
    onConflict?: string,
    computed?: Readonly<Partial<Record<keyof Shape & string, string>>>,
  ): (tx: Transaction, row: NewRow<Shape>, values?: Conditions) => Row<Shape> | null
  /**
   * @param keys of the columns to set
   * @param rest of the statement, from WHERE on
   * @returns a function that sets them; call it inside a transaction. It returns how many rows changed
   */
  update<Key extends keyof Shape & string>(
    db: Database,
    keys: readonly Key[],
    rest: string,
  ): (tx: Transaction, values: Pick<Row<Shape>, Key>, conditions: Conditions) => number
}

/**
 * Defines a table (docs/decisions/0040-typed-rows.md).
 * @param shape its columns by the names that the code uses
 */
export function defineTable<Shape extends Columns>(name: string, shape: Shape): Table<Shape> {
  const all = Object.entries(shape)
  const columns = listOf(shape)
  const read = reader(shape)
  const given = all.filter(([, column]) => !column.made)
  const encode = (keys: readonly string[], values: object) =>
    Object.fromEntries(
      keys.map((key) => [key, shape[key]!.encode((values as Record<string, unknown>)[key])]),
    )
  return {
    name,
    shape,
    columns,
    read,
    select: (db, rest) => typed(db, `SELECT ${columns} FROM ${quoted(name)} ${rest}`, read),
    insert(db, onConflict = '', computed) {
      const keys = given.map(([key]) => key)
      const expressions = Object.entries<string | undefined>(computed ?? {})
      const names = [...keys, ...expressions.map(([key]) => key)]
      const values = [...keys.map((key) => `:${key}`), ...expressions.map(([, sql]) => sql)]
      const statement = db.prepareWrite(
        `INSERT INTO ${quoted(name)} (${names.map((key) => columnName(key, shape[key]!)).join(', ')})
         VALUES (${values.join(', ')}) ${onConflict} RETURNING ${columns}`,
      )
      return (tx, row, named = {}) => {
        const kept = statement.get(tx, { ...encode(keys, row), ...named })
        return kept === undefined ? null : read(kept)
      }
    },
    update(db, keys, rest) {
      const assignments = keys.map((key) => `${columnName(key, shape[key]!)} = :set_${key}`)
      const statement = db.prepareWrite(
        `UPDATE ${quoted(name)} SET ${assignments.join(', ')} ${rest}`,
      )
      return (tx, values, conditions) => {
        const set = Object.entries(encode(keys, values)).map(([key, value]) => [
          `set_${key}`,
          value,
        ])
        return statement.run(tx, { ...conditions, ...Object.fromEntries(set) }).changes
      }
    },
  }
}

/**
 * A reading statement of its own shape, such as a join or a count.
 * @param shape the columns that the statement names, each under its property's name (`AS`)
 */
export function query<Shape extends Columns>(
  db: Database,
  sql: string,
  shape: Shape,
): Select<Row<Shape>> {
  return typed(db, sql, reader(shape))
}

/** The statement of {@link query} for the columns of a table: `SELECT ${list} FROM …`. */
export const listOf = (shape: Columns): string =>
  Object.entries(shape)
    .map(([key, column]) => `${columnName(key, column)} AS ${quoted(key)}`)
    .join(', ')

function typed<Result>(db: Database, sql: string, read: (row: unknown) => Result): Select<Result> {
  const statement = db.prepare(sql)
  return {
    get(conditions = {}) {
      const row = statement.get(conditions)
      return row === undefined ? null : read(row)
    },
    all: (conditions = {}) => statement.all(conditions).map(read),
    *iterate(conditions = {}) {
      for (const row of statement.iterate(conditions)) yield read(row)
    },
  }
}

function reader<Shape extends Columns>(shape: Shape): (row: unknown) => Row<Shape> {
  const all = Object.entries(shape)
  return (row) => {
    const decoded: Record<string, unknown> = {}
    for (const [key, column] of all) {
      decoded[key] = column.decode((row as Record<string, unknown>)[key])
    }
    return decoded as Row<Shape>
  }
}

const quoted = (name: string) => `"${name}"`
const snakeCase = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column's name in SQL. @param key the property's name */
export const columnName = (key: string, { name }: Pick<Column<unknown, boolean>, 'name'>): string =>
  quoted(name ?? snakeCase(key))

function plain<Value extends Stored>(
  type: Column<Value>['type'],
  isOne: (stored: unknown) => stored is Value,
) {
  return (name: string | null = null): Column<Value> => ({
    name,
    type,
    nullable: false,
    made: false,
    encode: (value) => value,
    decode(stored) {
      if (!isOne(stored)) throw new TypeError(`A column of ${type} holds ${typeof stored}.`)
      return stored
    },
  })
}

const isText = (stored: unknown): stored is string => typeof stored === 'string'
const isNumber = (stored: unknown): stored is number => typeof stored === 'number'

/** A text. @param name of the column where it is not the property's name in snake case */
export const text = plain('TEXT', isText)
/** A whole number, such as an amount in cents or milliseconds of the epoch. */
export const integer = plain('INTEGER', isNumber)

/** Bytes, such as a file. */
export const blob = plain('BLOB', (stored: unknown): stored is Buffer => Buffer.isBuffer(stored))

/** A number with a fraction, such as a rate in per cent. */
export const real = plain('REAL', isNumber)

/** A boolean, kept as 0 or 1. */
export const flag = (name: string | null = null): Column<boolean> => ({
  ...integer(name),
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => stored === 1,
})

/**
 * A text that is one of a few, or has its own type, such as a civil date.
 * @param name of the column, or null for the property's name in snake case
 */
export const textOf = <Value extends string>(name: string | null = null): Column<Value> =>
  text(name) as Column<Value>

/**
 * A value kept as JSON.
 * @param schema what a kept value has to be
 */
export const json = <Value>(schema: Schema<Value>, name: string | null = null): Column<Value> => ({
  ...text(name),
  encode: (value) => JSON.stringify(value),
  decode(stored) {
    const parsed = schema.safeParse(JSON.parse(stored as string))
    if (!parsed.success) throw new TypeError('A column of JSON holds something else.')
    return parsed.data
  },
})

/** The same column where it may hold nothing. */
export const nullable = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  nullable: true,
  encode: (value) => (value === null ? null : column.encode(value)),
  decode: (stored) => (stored === null ? null : column.decode(stored)),
})

/**
 * The same column where the table would let it be empty and no row is: one that was added later to a
 * table with rows.
 */
export const filled = <Value>(column: Column<Value>): Column<Value> => ({
  ...column,
  nullable: true,
})

/** The same column where the database gives the value, such as an id or a default. */
export const made = <Value>(column: Column<Value>): Column<Value, true> => ({
  ...column,
  made: true,
})
