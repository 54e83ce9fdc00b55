import * as z from 'zod/mini'
import type { FileKind } from '#shared/folders/file-kind.ts'
import {
  defineTable,
  flag,
  integer,
  json,
  made,
  nullable,
  text,
  textOf,
  type RowOf,
} from '../db/table.ts'

/** Shared folders. Times are milliseconds of the epoch, days are dates in Helsinki. */
export const folders = defineTable('folders', {
  id: made(integer()),
  /** What opens a folder that has no password. */
  key: text(),
  alias: made(nullable(text())),
  /** Below DATA_DIR/folders. */
  directory: text(),
  title: text(),
  client: nullable(text()),
  season: nullable(text()),
  /** Its hash. */
  password: made(nullable(text())),
  /** Without a password, it opens by its address also when it is in a panel. */
  anyone: made(flag()),
  /** Once it was in a client's panel it isn't everyone's again; kept by triggers of the panels. */
  wasInPanel: made(flag()),
  /** Files leave with their position, serial numbers and owner. */
  keepLocation: made(flag()),
  /** Pictures carry the agency's name, and their originals stay here. */
  watermark: made(flag()),
  /** The addresses that staff last told of it; null while no one was told. */
  toldTo: made(nullable(json(z.array(z.string())))),
  toldAt: made(nullable(integer())),
  createdAt: integer(),
  /** Null never expires. */
  expiresAt: nullable(integer()),
  revokedAt: made(nullable(integer())),
  syncedAt: made(nullable(integer())),
  /** How often its index was brought up to date. */
  syncs: made(integer()),
  maxDownloads: made(nullable(integer('downloads_most'))),
  /** What counts against the maximum. */
  downloads: made(integer()),
  /** Whether visitors may go on after they have sent their favourites. */
  rounds: made(textOf<'none' | 'one' | 'many'>()),
  fileCount: made(integer()),
  totalBytes: made(integer()),
})

/** A shared folder. */
export type Folder = RowOf<typeof folders>

/** The files of folders, as the last sync found them. */
export const folderFiles = defineTable('folder_files', {
  id: made(integer()),
  folder: integer(),
  /** Exactly as on disk, below the folder's directory, with forward slashes. */
  path: text(),
  /** The directory part of the path; empty at the top. */
  section: text(),
  name: text(),
  /** In the order of the page, from 0 without gaps. */
  position: integer(),
  kind: textOf<FileKind>(),
  type: text(),
  size: integer(),
  mtime: integer(),
  /** As shown, turned upright. Null where unknown. */
  width: nullable(integer()),
  height: nullable(integer()),
  /** CRC-32 of the bytes that had this size and mtime; null until someone reads them. */
  crc: nullable(integer()),
  /**
   * Of what leaves without private metadata, as found by the recipe of this number; null beside a
   * `crc` for a file that cannot be cleaned.
   */
  cleanCrc: nullable(integer()),
  cleanRecipe: nullable(integer()),
  /** The path of a still picture for a video. */
  poster: nullable(text()),
  /** It was not there or not readable when it was last asked for. */
  broken: made(flag()),
  downloads: made(integer()),
  /** When it came; null for files from before this was kept. */
  addedAt: nullable(integer()),
  /** What the photographer wrote below it; empty for none, null where that wasn't looked for yet. */
  caption: nullable(text()),
})

/** A file of a folder. */
export type StoredFile = RowOf<typeof folderFiles>

/** Files that staff send to a folder, over HTTP or at the command line. */
export const folderUploads = defineTable('folder_uploads', {
  /** Unguessable: it's in the address to which the rest of a file is sent. */
  id: text(),
  folder: integer(),
  /** The code with which it was begun at the desk; null at the command line. */
  codeId: nullable(integer('code')),
  /** Who sends it, for people. */
  actor: text(),
  /** As it was called where it comes from, in one line. */
  name: text(),
  /** Where it goes in the folder, as a path; empty for the folder itself. */
  section: text(),
  /** Bytes, as announced. */
  size: integer(),
  state: textOf<'receiving' | 'added' | 'same' | 'refused'>(),
  /** The path that it got in the folder, or why it was refused; null while it's coming. */
  result: nullable(text()),
  startedAt: integer(),
  /** When something of it came last. */
  at: integer(),
})

/** A file that was or is sent to a folder. */
export type FolderUpload = RowOf<typeof folderUploads>

/** What visitors chose for a ZIP. */
export const zipSelections = defineTable('folder_selections', {
  folder: integer(),
  /** Hash of the sorted ids: the same choice is the same ZIP. */
  digest: text(),
  /** Ids. */
  files: json(z.array(z.number())),
  expiresAt: integer(),
})

/** What happened in a folder on one day; bots are in none of it. */
export const folderDays = defineTable('folder_days', {
  folder: integer(),
  day: text(),
  views: integer(),
  visitors: integer(),
  files: integer(),
  zips: integer(),
})

/** When clients, and visitors with favourites, were here. */
export const folderVisits = defineTable('folder_visits', {
  folder: integer(),
  /** Keyed hash, as of {@link folderVisitors}. */
  visitor: text(),
  /** The last look. */
  seenAt: integer(),
  /** The last look of the visit before; null during the first. */
  beforeAt: nullable(integer()),
})

/** Who was counted today. */
export const folderSeen = defineTable('folder_seen', {
  folder: integer(),
  day: text(),
  /** Keyed hash of the day and the visitor. */
  visitor: text(),
  /** `view`, or what was downloaded. */
  what: text(),
})

/** Visitors who mark favourites. */
export const folderVisitors = defineTable('folder_pickers', {
  id: made(integer()),
  folder: integer(),
  /** Keyed hash of the cookie or the client's code. */
  hash: text('visitor'),
  name: made(nullable(text())),
  round: made(integer()),
  /** Set while the favourites of this round are sent and locked. */
  submittedAt: made(nullable(integer())),
  createdAt: integer(),
  /** How often what is marked has changed: on any device, and by files that left or came back. */
  revision: made(integer()),
})

/** A visitor who marks favourites in a folder. */
export type FolderVisitor = RowOf<typeof folderVisitors>

/** What visitors say of files. */
export const favourites = defineTable('folder_picks', {
  visitor: integer('picker'),
  file: integer(),
  heart: flag(),
  comment: nullable(text()),
  at: integer(),
})

/** What visitors said of files that have left the folder since. */
export const lostFavourites = defineTable('folder_lost_picks', {
  visitor: integer('picker'),
  /** The number that the file had. */
  file: integer(),
  path: text(),
  heart: flag(),
  comment: nullable(text()),
  at: integer(),
  goneAt: integer(),
})

/** What one visitor says of one file. */
export type Favourite = { path: string; heart: boolean; comment: string | null }

/** A favourite as it was sent, with the number of its file; those from before it was kept have none. */
export type SentFavourite = Favourite & { file?: number | undefined }

/** What a visitor chose, and the number of its file; null for one that has left the folder since. */
export type ChosenFavourite = Favourite & {
  file: number | null
  /** The number of a file that has left the folder, as long as its mark can be taken away. */
  lost?: number
}

const sent: z.ZodMiniType<readonly SentFavourite[]> = z.array(
  z.object({
    path: z.string(),
    heart: z.boolean(),
    comment: z.nullable(z.string()),
    file: z.optional(z.number()),
  }),
)

/** Favourites that were sent, as they were at that moment. */
export const submissions = defineTable('folder_submissions', {
  id: made(integer()),
  visitor: integer('picker'),
  round: integer(),
  name: text(),
  note: nullable(text()),
  at: integer(),
  favourites: json(sent, 'picks'),
})

/** A round of favourites that was sent. */
export type Submission = Omit<RowOf<typeof submissions>, 'id'>
