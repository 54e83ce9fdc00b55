/** The tables whose numbers are never given out twice; each has a trigger that keeps its spent ones. */
export type NumberedTable =
  | 'bookings'
  | 'orders'
  | 'carts'
  | 'subscribers'
  | 'folders'
  | 'folder_files'
  | 'withdrawals'
  | 'variants'

/**
 * The SQL of a number for a new row that no earlier row of its table had. SQLite itself gives the
 * number of the last row out again once that row is gone, and all since a backup once that backup is
 * restored; so this one follows from the time as well. It needs the parameter `:now` in milliseconds
 * of the epoch, has at most 15 digits until the year 2093, and is no secret.
 * @param table whose `id` it is
 */
export const newNumber = (table: NumberedTable): string =>
  `max(coalesce((SELECT max(id) FROM ${table}), 0) + 1,
    coalesce((SELECT last FROM spent_numbers WHERE name = '${table}'), 0) + 1, :now * 256)`
