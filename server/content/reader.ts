import type { Collection, LongTextCollection } from '../collections.ts'
import type { StoredRow } from './collection.ts'

/** A file as it is stored. */
export type Original = {
  /** Media type. */
  readonly type: string
  /** Identifies the file's content; safe in file names, headers and queries. */
  readonly version: string
  /** Length in bytes, if known without fetching it. */
  readonly size?: number
  /** Seconds that other caches may keep it, if it may be withdrawn. */
  readonly lifetime?: number
  /** Its path on disk. @throws a failure if it can't be fetched */
  path(): Promise<string>
}

/** Who requests a file, and with which rights. */
export type AssetRequest = {
  /** For fair queueing, such as a client address. */
  client: string
  /** Whether public content names the file; only then the site's own token is used. */
  named: boolean
}

/** The description of a file in the content service. */
export type FileDescription = {
  readonly id: string
  /** Alternative text; null for none. */
  readonly alt: string | null
  readonly width: number | null
  readonly height: number | null
  /** The focal point in pixels; null where unset. */
  readonly focal: readonly [x: number | null, y: number | null]
}

/** A failure of the source, during which stale content is shown. */
export type Outage = {
  /** Milliseconds of the epoch. */
  since: number
  /** One line for people. */
  why: string
}

/** Where content comes from: our own files, or a Directus. Neither filtered nor sanitised. */
export type Reader = {
  /**
   * Every row of a collection; the same array until one changes.
   * @throws failure `unavailable` with the message `API error: {status} {statusText}`
   */
  rows(collection: Collection): Promise<readonly StoredRow[]>
  /** The long text of a row; null for none. */
  text(collection: LongTextCollection, row: StoredRow): Promise<string | null>
  /** A file; null for none. @throws failure `unavailable` when the service can't be asked */
  asset(id: string, request: AssetRequest): Promise<Original | null>
  /** The version of a file, if known without a request. */
  assetVersion(id: string): Promise<string | null>
  /** Whether a file is missing, where that can be told without a request. */
  lacks?(id: string): Promise<boolean>
  /** The current outage; null while all is well. */
  outage(): Outage | null
  /** What pages lack because the source hides it; null for nothing. */
  lack?(): Outage | null
  /** File descriptions, if the source has them; the same array until one changes. */
  fileDescriptions?(): Promise<readonly FileDescription[]>
  /** Queries the source now, bypassing all caches. */
  examine(): Promise<void>
  close(): Promise<void>
}
