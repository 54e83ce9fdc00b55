import { extname } from 'node:path'

/** Media types of the files that may be served, by their endings. */
const byEnding: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.zip': 'application/zip',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
}

const raster = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])

/** The media type of a file by its name; null for endings that are not served. */
export const mediaType = (name: string): string | null =>
  byEnding[extname(name).toLowerCase()] ?? null

/** The usual ending for a media type, without a dot. */
export const endingOf = (type: string): string =>
  Object.entries(byEnding)
    .find(([, known]) => known === type)?.[0]
    .slice(1) ?? 'bin'

/** Whether pixels can be made of it. */
export const isRaster = (type: string): boolean => raster.has(type)
