import type { Collection, LongTextCollection } from '#shared/content.ts'

/** A row as it is stored: drafts, unknown fields and wrong types included. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A file as it is stored. */
export type Original = {
  /** Media type. */
  readonly type: string
  /** Names the file's content; safe in file names, headers and queries. */
  readonly version: string
  /** Length in bytes, where that is known without reading it. */
  readonly size?: number
  /** @throws a failure when the bytes cannot be had */
  bytes(): Promise<Buffer>
}

/** Where content comes from: files of our own, or a Directus. Nothing is filtered or cleaned here. */
export type Reader = {
  /**
   * Every row of a collection; the very same array until one of them changes.
   * @throws failure `unavailable`, worded as spec section 8 says
   */
  rows(collection: Collection): Promise<readonly StoredRow[]>
  /** The long text of a row; null where it has none. */
  text(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** A file; null where there is none. */
  asset(id: string): Promise<Original | null>
  /** The version of a file, if it is known without asking the network. */
  assetVersion(id: string): Promise<string | null>
  close(): Promise<void>
}
