import { open, type FileHandle } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { plainLine } from '#shared/text/text.ts'
import type { ReadableBytes } from '../../images/bytes.ts'
import { contentKind, isCameraRaw, rawTypes } from '../../images/content-kind.ts'
import { isWholeJpeg } from '../../images/jpeg-end.ts'
import { endingOf } from '../../http/media-types.ts'
import { kindOf } from '../../transfers/file-kinds.ts'
import { systemFiles } from '../files/scan.ts'

/** Max bytes of a file's name; most disks take 255, and a number may be added. */
const maxNameBytes = 180

/** Max bytes of an ending that a long name keeps; what is longer is a sentence after a dot. */
const maxEndingBytes = 20

/**
 * The name under which a file that was sent is kept: of the path that a browser may give only its end,
 * accents written in one way, without what a disk or an archive of another system takes for more than
 * a letter.
 * @returns null where nothing of a name is left, or where the scan of a folder would leave it out
 */
export function safeFileName(given: string): string | null {
  const seen = given.replaceAll(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
  const cleaned = plainLine(basename(seen.replaceAll('\\', '/')).normalize('NFC')).replaceAll(
    /[<>:"|?*]/g,
    '_',
  )
  // By hand, since a pattern would go over long runs of dots again and again.
  let end = cleaned.length
  while (end > 0 && '. '.includes(cleaned[end - 1]!)) end -= 1
  const name = cleaned.slice(0, end).trim()
  const last = extname(name)
  const ending = Buffer.byteLength(last) > maxEndingBytes ? '' : last
  const stem = name.slice(0, name.length - ending.length)
  if (stem === '' || systemFiles.test(name) || name.includes('\uFFFD')) return null
  return cut(stem, maxNameBytes - Buffer.byteLength(ending)) + ending
}

/** Most sections within each other. */
const deepest = 4

/**
 * The section of a folder that someone means: one that is there, whatever its letters' case, or a new
 * one, each part of which is cleaned as names of files are.
 * @param given a path with forward slashes; empty for the folder itself
 * @param sections those of the folder
 * @returns null for what can't be a section
 */
export function safeSection(given: string, sections: readonly string[]): string | null {
  const parts = given.split('/').map((part) => part.trim())
  if (parts.every((part) => part === '')) return ''
  const kept = parts.filter((part) => part !== '').map(safeFileName)
  if (kept.length > deepest || kept.includes(null)) return null
  const section = kept.join('/')
  const folded = (text: string) => text.normalize('NFC').toLowerCase()
  return sections.find((known) => folded(known) === folded(section)) ?? section
}

/** The beginning of a text that has at most so many bytes, without half a character. */
function cut(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '')
    .trimEnd()
}

/** Endings of documents and texts that are taken beside photos, films and sounds. */
const documents: Readonly<Record<string, readonly string[]>> = {
  '.pdf': ['application/pdf'],
  '.zip': ['application/zip'],
  '.docx': [
    'application/zip',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  '.xlsx': ['application/zip', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  '.pptx': [
    'application/zip',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  '.psd': ['image/vnd.adobe.photoshop'],
  '.csv': [],
  '.txt': [],
  '.vtt': [],
  '.xmp': ['application/xml', 'application/rdf+xml'],
}

/** Endings of films and sounds, and what their first bytes may say. */
const media: Readonly<Record<string, RegExp>> = {
  '.mp4': /^video\/(?:mp4|x-m4v|quicktime)$/,
  '.m4v': /^video\/(?:mp4|x-m4v|quicktime)$/,
  '.mov': /^video\/(?:mp4|quicktime)$/,
  '.webm': /^video\/(?:webm|x-matroska|matroska)$/,
  '.mp3': /^audio\/mpeg$/,
  '.m4a': /^(?:audio\/(?:mp4|x-m4a)|video\/mp4)$/,
  '.wav': /^audio\/(?:x-)?(?:vnd\.)?wave?$/,
}

/** Endings of photos that aren't shown as such in a gallery. */
const otherPhotos: Readonly<Record<string, readonly string[]>> = {
  '.heic': ['image/heic', 'image/heif'],
  '.heif': ['image/heic', 'image/heif'],
  '.hif': ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  '.thm': ['image/jpeg'],
}

/**
 * Why a file of a name can't be delivered: galleries take photos, camera RAW, films, sounds, PDF, office
 * documents, texts and archives.
 * @returns a sentence for staff; null for a good one
 */
export function whyNotTaken(name: string): string | null {
  const ending = endingOf(name)
  const { kind, type } = kindOf(name)
  const isKnown =
    kind === 'image' ||
    isCameraRaw(type) ||
    [documents, media, otherPhotos].some((list) => ending in list)
  if (isKnown) return null
  return ending === '' || Buffer.byteLength(ending) > maxEndingBytes
    ? 'The name has no ending such as .jpg.'
    : `Galleries don’t take ${ending} files.`
}

/** Bytes of the beginning of a file by which it's recognised. */
const headBytes = 64 * 1024

/**
 * Why a file that came can't be delivered: what its first bytes say has to be what its ending says.
 * @param path where it is
 * @param name as it's going to be called
 * @returns a sentence for staff; null for a good one
 */
export async function whyNotDelivered(path: string, name: string): Promise<string | null> {
  const refusal = whyNotTaken(name)
  if (refusal) return refusal
  const ending = endingOf(name)
  const { kind, type } = kindOf(name)
  const isRaw = isCameraRaw(type)
  const { fileTypeFromBuffer } = await import('file-type')
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    if (size === 0) return 'The file is empty.'
    const head = Buffer.alloc(Math.min(size, headBytes))
    await handle.read(head, 0, head.length, 0)
    const found = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? null
    const isRight = isRaw
      ? await looksRaw(handle, size, found)
      : kind === 'image'
        ? found === type || (ending === '.avif' && found === 'image/avif-sequence')
        : ending in media
          ? isMedia(ending, found, head)
          : isDocument(ending, found, head)
    if (!isRight) return `Its content isn’t what the ending ${ending} says.`
    const isWhole = found !== 'image/jpeg' || (await isWholeJpeg(bytesOf(handle, size)))
    return isWhole ? null : 'The photo is cut off: its end is missing.'
  } finally {
    await handle.close()
  }
}

/** Of a camera's files some hundred formats are in use; all of them are binary, and none is a program. */
async function looksRaw(handle: FileHandle, size: number, found: string | null): Promise<boolean> {
  if (found?.startsWith('image/') || found?.startsWith('video/')) return true
  const kind = await contentKind(bytesOf(handle, size))
  return ['camera-raw', 'tiff', 'boxes'].includes(kind ?? '')
}

const bytesOf = (handle: FileHandle, size: number): ReadableBytes => ({
  size,
  read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
})

/** A sound may begin with so much about itself that what follows isn't seen. */
const isMedia = (ending: string, found: string | null, head: Buffer): boolean =>
  found === null
    ? ending === '.mp3' && head.toString('latin1', 0, 3) === 'ID3'
    : media[ending]!.test(found)

/** Texts have no signature; what has one, or a zero, is none. */
function isDocument(ending: string, found: string | null, head: Buffer): boolean {
  const types = documents[ending] ?? otherPhotos[ending] ?? []
  if (found !== null) return types.includes(found)
  const isText = ['.csv', '.txt', '.vtt', '.xmp'].includes(ending)
  return isText && !head.includes(0)
}

/** The endings that an upload may have, as a file field takes them. */
export const acceptedEndings: readonly string[] = [
  ...'.jpg .jpeg .png .webp .avif .gif .tif .tiff'.split(' '),
  ...Object.keys(otherPhotos),
  ...Object.keys(media),
  ...Object.keys(documents),
  ...Object.keys(rawTypes),
]
