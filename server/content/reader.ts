import type { StoredRow } from './stored-row.ts'
import type { Collection, LongTextCollection } from '../collections.ts'

/** A file as it is stored. */
export type Original = {
  /** Media type. */
  readonly type: string
  /** Names the file's content; safe in file names, headers and queries. */
  readonly version: string
  /** Length in bytes, where that is known without fetching it. */
  readonly size?: number
  /** Seconds for which copies elsewhere may be shown unasked, where the file may be taken back. */
  readonly lifetime?: number
  /** Where it lies on disk. @throws a failure when it cannot be had */
  path(): Promise<string>
}

/** Who asks for a file, and with which rights. */
export type AssetRequest = {
  /** Whose turn it is when many wait, such as a client address. */
  client: string
  /** Whether public content names the file: only then it is asked for with the site's own rights. */
  named: boolean
}

/** Content that is shown although its source has failed since. */
export type Outage = {
  /** Milliseconds of the epoch. */
  since: number
  /** One line for people. */
  why: string
}

/** Where content comes from: files of our own, or a Directus. Nothing is filtered or cleaned here. */
export type Reader = {
  /**
   * Every row of a collection; the very same array until one of them changes.
   * @throws failure `unavailable` with the message `API error: {status} {statusText}`
   */
  rows(collection: Collection): Promise<readonly StoredRow[]>
  /** The long text of a row; null where it has none. */
  text(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** A file; null where there is none. @throws failure `unavailable` when the service cannot be asked */
  asset(id: string, request: AssetRequest): Promise<Original | null>
  /** The version of a file, if it is known without asking the network. */
  assetVersion(id: string): Promise<string | null>
  /** What is wrong with the source, as far as it is known; null while all is well. */
  outage(): Outage | null
  /** Asks the source now, whatever is kept of it. */
  examine(): Promise<void>
  close(): Promise<void>
}
