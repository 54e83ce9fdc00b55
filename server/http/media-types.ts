import { extname } from 'node:path'

/** Media types by the endings of files (IANA). Nothing that a browser would run as a script. */
const byEnding: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.svg': 'image/svg+xml',
  '.psd': 'image/vnd.adobe.photoshop',
  '.heic': 'image/heic',
  '.heif': 'image/heif',
  '.hif': 'image/heif',
  '.thm': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.wav': 'audio/wav',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.csv': 'text/csv',
  '.txt': 'text/plain',
  '.vtt': 'text/vtt',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.xmp': 'application/rdf+xml',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/** The ending of a file's name in lower case, with its dot. */
export const endingOf = (name: string): string => extname(name).toLowerCase()

/** The media type of a file by its name; null for an unknown ending. */
export const mediaTypeOf = (name: string): string | null => byEnding[endingOf(name)] ?? null

/** The ending that files of a media type get, without a dot. */
export const endingFor = (type: string): string =>
  Object.entries(byEnding)
    .find(([, known]) => known === type)?.[0]
    .slice(1) ?? 'bin'

/** A media type for a header: texts are in UTF-8. */
export const withCharset = (type: string): string =>
  type.startsWith('text/') ? `${type}; charset=utf-8` : type

/** Endings of the files that content may serve. */
const served = new Set(
  '.jpg .jpeg .png .webp .avif .gif .svg .pdf .txt .csv .vtt .zip .mp4 .webm .mp3'.split(' '),
)

const raster = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])

/** The media type of a file by its name; null for endings that are not served. */
export const servedType = (name: string): string | null =>
  served.has(endingOf(name)) ? mediaTypeOf(name) : null

/** Whether pixels can be made of it. */
export const isRaster = (type: string): boolean => raster.has(type)
