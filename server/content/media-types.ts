import { endingOf, mediaTypeOf } from '../media-types.ts'

/** Endings of the files that content may serve. */
const served = new Set(
  '.jpg .jpeg .png .webp .avif .gif .svg .pdf .txt .csv .zip .mp4 .webm .mp3'.split(' '),
)

const raster = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])

/** The media type of a file by its name; null for endings that are not served. */
export const servedType = (name: string): string | null =>
  served.has(endingOf(name)) ? mediaTypeOf(name) : null

/** Whether pixels can be made of it. */
export const isRaster = (type: string): boolean => raster.has(type)
