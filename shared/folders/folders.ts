import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { FailureCode } from '../failures.ts'
import { line, optionalText } from '../forms/fields.ts'
import type { FileKind } from './file-kind.ts'
import { folderLimits } from './folder-numbers.ts'
import type { Entries, FieldErrors } from '../forms/form.ts'
import { plainLines } from '../text/text.ts'

/** Files on one page of a folder. */
export const filesPerPage = 120

/** Marked files that a folder's page lists at most; it says how many there are beyond. */
export const maxReviewed = 1000

/** A file as the page shows it. */
export type FolderFile = {
  readonly id: number
  readonly name: string
  readonly kind: FileKind
  /** Bytes. */
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  /** Whether there are pixels to show: of a picture, or the poster of a video. */
  readonly pixels: boolean
  /** Changes with the file, for addresses. */
  readonly version: string
  /** Index into the folder's sections. */
  readonly section: number
  /** It could not be read when it was last asked for. */
  readonly broken: boolean
  /** It cannot be cleaned of private metadata, so it is shown and not given away. */
  readonly held: boolean
  /** Whether the visitor's rights give it as it was delivered. */
  readonly allowed: boolean
  readonly heart: boolean
  readonly comment: string | null
  /** Whether it came after the visitor's last visit. */
  readonly isNew: boolean
  /** What the photographer wrote below it. */
  readonly caption: string | null
}

/** What a visitor has picked so far. */
export type FolderFavourites = {
  /** `none`: this folder is only for downloading. */
  readonly rounds: 'none' | 'one' | 'many'
  readonly name: string | null
  readonly hearts: number
  /** How many of the hearts are for files that have left the gallery since. */
  readonly gone: number
  readonly comments: number
  readonly round: number
  /** Counts the changes, on any device. The form sends the one that it shows back as `seen`. */
  readonly revision: number
  /** ISO; favourites are locked from then on. */
  readonly submittedAt: string | null
  /** The form that sends them, when it came back: what was entered, and what is wrong. */
  readonly form?: { readonly entries: Entries; readonly errors: FieldErrors }
}

/** A file that the visitor has marked, on whatever page it is. */
export type FavouriteFile = Pick<
  FolderFile,
  'name' | 'version' | 'pixels' | 'heart' | 'comment'
> & {
  /** Null for one that has left the gallery since it was marked. */
  readonly id: number | null
  /** The number that such a one had, as long as it can be taken out of the list. */
  readonly lost?: number | undefined
}

/** Which files of a folder are shown. */
export type FolderFilter = 'all' | 'favourites' | 'new'

/** The filter that an address asks for; all files for anything else. */
export const folderFilter = (show: unknown): FolderFilter =>
  show === 'favourites' || show === 'new' ? show : 'all'

/** An open folder, one page of it. */
export type OpenFolder = {
  readonly state: 'open'
  /** As it is in the address: its key or its alias. */
  readonly id: string
  readonly title: string
  readonly client: string | null
  readonly season: string | null
  readonly count: number
  /** Bytes of all files. */
  readonly bytes: number
  /** Files that are shown and not given away, alone or in a ZIP, and their bytes. */
  readonly held: { readonly count: number; readonly bytes: number }
  /** ISO, or null when it never expires. */
  readonly expiresAt: string | null
  /** Null when there is no limit. */
  readonly downloadsLeft: number | null
  readonly filter: FolderFilter
  /** Files that came after the visitor's last visit, or after the file that the address names. */
  readonly fresh: number
  /** The file after which those came; null for the last visit. */
  readonly after: number | null
  /** The last file that was added; 0 for none. */
  readonly last: number
  /** Of the files that pass the filter. */
  readonly page: number
  readonly pages: number
  readonly found: number
  /** Each with the page that its first file is on; the first may have no name. */
  readonly sections: readonly { name: string; count: number; page: number }[]
  readonly files: readonly FolderFile[]
  readonly picks: FolderFavourites
  /** What the visitor would send, or has sent, of all pages, in their order; at most {@link maxReviewed}. */
  readonly marked: readonly FavouriteFile[]
  /** How many those are, listed or not. */
  readonly markedCount: number
  /** What the visitor may download: files as they are, or at least documents and web sizes. */
  readonly may: { readonly originals: boolean; readonly web: boolean }
  /** Whether there are pictures, which have a web size. */
  readonly hasPictures: boolean
  /** Whether pictures are proofs with the agency's name on them. */
  readonly isProof: boolean
  /** A file that the address asks to open. */
  readonly shown: number | null
}

/** Why a folder, or something in it, is not shown. */
export type FolderProblem = {
  readonly success: false
  readonly message: string
  readonly code: FailureCode
  readonly state: 'problem'
  readonly id: string
  readonly status: 403 | 404 | 410 | 413 | 400 | 429 | 503
  /** What went wrong. */
  readonly why:
    | 'missing'
    | 'gone'
    | 'file'
    | 'held'
    | 'selection'
    | 'limit'
    | 'scope'
    | 'originals'
    | 'select'
    | 'busy'
    | 'preparing'
    | 'too-many'
    | 'too-large'
    | 'malformed'
}

/** A folder behind its password, or the secret code of its client. Not even its title is told. */
export type LockedFolder = {
  readonly success: false
  readonly message: string
  readonly code: FailureCode
  readonly state: 'locked'
  readonly id: string
  readonly by: 'password' | 'code'
  /** Whether a wrong password was just entered. */
  readonly wrong: boolean
  /** Where the visitor wanted to go. */
  readonly to: string
  /** What a form was to do that was sent when the folder had been locked. */
  readonly undone?: 'download' | 'favourites'
}

/** What is at the address of a folder. */
export type FolderView = OpenFolder | LockedFolder | FolderProblem

const folderId = z.string()

/** A number in an address; anything else counts as `instead`. */
const numberOr = <Instead>(instead: Instead, max = 1e12) =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((given: unknown) => {
      const number = Number(given)
      return Number.isInteger(number) && number >= 1 && number <= max ? number : instead
    }),
  )

/** Reads a folder. Every reply is a value, so its page can be drawn; see `state`. */
export const getFolder = endpoint({
  method: 'GET',
  path: '/api/folders/:id',
  input: z.object({
    id: folderId,
    page: numberOr(1),
    show: z.pipe(z.optional(z.unknown()), z.transform(folderFilter)),
    /** A file to open; its page is shown instead of `page`. */
    open: numberOr(null, Number.MAX_SAFE_INTEGER),
    /** With the filter `new`: only files that were added after this one. */
    after: numberOr(null, Number.MAX_SAFE_INTEGER),
    /** Something below the folder that is not there to be read as a page. */
    below: z.optional(z.string()),
  }),
  output: json<FolderView>((view) =>
    view.state === 'open' ? 200 : view.state === 'locked' ? 401 : view.status,
  ),
})

/** What was added to an open folder: files, how many of them are photos, and the last one; 0 for none. */
export type FolderNews = { count: number; photos: number; last: number }

/** Asks whether files were added after one, for a gallery that stays open during an event. */
export const getFolderNews = endpoint({
  method: 'GET',
  path: '/api/folders/:id/news',
  input: z.object({
    id: folderId,
    after: z.pipe(numberOr(0, Number.MAX_SAFE_INTEGER), z.number()),
  }),
  output: json<FolderNews>(),
})

/** The form that sends favourites: who chose them, and a word with them. */
export const favouritesForm = z.object({
  name: line('Please enter your name', folderLimits.maxName),
  note: optionalText(folderLimits.maxNote),
})

/** A valid {@link picksForm}. */
export type FavouritesForm = z.output<typeof favouritesForm>

/** The favourites after a change. */
export type FavouritesReply = { success: true; picks: FolderFavourites }

/**
 * Marks a file, or takes the mark away; writes or clears a comment. Of a file that has left the gallery only
 * both can be taken away at once.
 */
export const setFavourite = endpoint({
  method: 'POST',
  path: '/api/folders/:id/marks',
  input: z.object({
    id: folderId,
    file: z.number().check(z.int(), z.gte(1)),
    heart: z.optional(z.boolean()),
    comment: z.optional(
      z.pipe(
        z.string(),
        z.pipe(
          z.transform(plainLines),
          z.string().check(z.maxLength(folderLimits.maxComment, 'Please use fewer words')),
        ),
      ),
    ),
  }),
  output: json<FavouritesReply>(),
})
