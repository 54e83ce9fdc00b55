import type { FileKind } from '#shared/folders/file-kind.ts'
import { isPassive } from '../../transfers/file-kinds.ts'

/** What a visitor may do in an open folder, beside looking at it. */
export type Rights = {
  /** Pictures as they were delivered, and ZIPs. */
  originals: boolean
  /** Documents, films and sounds, and pictures in web size to keep. */
  web: boolean
  /** Favourites and comments. */
  select: boolean
}

/**
 * The addresses of a file: three previews, the largest one to keep, in place, to keep, and in a ZIP of
 * files as they are or of web sizes.
 */
export type FileUse = 'thumb' | 'cover' | 'web' | 'save' | 'view' | 'file' | 'zip' | 'web-zip'

/** What an address of a file asks for, and what it takes from the folder's number of downloads. */
export type AccessRule = {
  /** Null: all who may see the folder. */
  right: keyof Rights | null
  /**
   * `download`: one, and it is counted. `play`: one where their number is limited, since the bytes
   * are those of the file; watching isn't a download in the statistics. `nothing`: previews.
   */
  takes: 'download' | 'play' | 'nothing'
}

/**
 * The rule for an address of a file; the only place that says who may have which bytes. Whatever
 * gives a file as it was delivered asks for the same right and takes from the same number.
 */
export function ruleOf(way: FileUse, { kind, type }: { kind: FileKind; type: string }): AccessRule {
  if (way === 'thumb' || way === 'cover' || way === 'web') return { right: null, takes: 'nothing' }
  if (way === 'save' || way === 'web-zip') return { right: 'web', takes: 'download' }
  if (way === 'zip') return { right: 'originals', takes: 'download' }
  // A camera's raw file is listed with the documents, since no browser shows it. A drawing is one.
  const isPicture = kind === 'image' || (type.startsWith('image/') && type !== 'image/svg+xml')
  const right = isPicture ? 'originals' : 'web'
  return { right, takes: way === 'view' && isPassive(kind, type) ? 'play' : 'download' }
}

/** Whether rights open an address of a file. */
export function isGranted(way: FileUse, file: { kind: FileKind; type: string }, rights: Rights) {
  const { right } = ruleOf(way, file)
  return right === null || rights[right]
}
