/** A row as it is stored: drafts, unknown fields and wrong types included. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Something wrong with a field. */
export type Problem = { field: string; problem: string }
