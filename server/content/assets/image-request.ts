import {
  fits,
  heightFor,
  imageFormats,
  imageWidths,
  ratios,
  thumbnailWidths,
  type Ratio,
} from '#shared/images.ts'
import { refuse } from '../read-api/wire.ts'

type Fit = (typeof fits)[number]

/** A requested transformation, in Directus' terms; null where unspecified. */
export type ImageRequest = {
  readonly width: number | null
  readonly height: number | null
  readonly fit: Fit
  readonly quality: number
  readonly format: 'webp' | 'jpg' | 'png' | 'avif' | null
}

/** A transformation the site makes: one of its presets. */
export type Transform = {
  readonly width: number
  /** Null to keep the aspect ratio. */
  readonly height: number | null
  readonly fit: 'cover' | 'contain' | 'inside'
  readonly quality: number
  readonly format: 'webp' | 'jpg' | 'png' | 'avif'
}

/** Media types by output format. */
export const formatTypes = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
} as const

const known = new Set<string>(['width', 'height', 'fit', 'quality', 'format', 'v', 'download'])
const widths = [...thumbnailWidths, ...imageWidths].toSorted((a, b) => a - b)
/** For thumbnails requested by others, the site itself, and prints. */
const qualities = [60, 80, 95] as const
/** The largest size Directus accepts. */
const maxPixels = 6_000

/**
 * Parses the query of an asset URL.
 * @param accept the client's Accept header, for the format `auto`
 * @returns null for the original file
 * @throws a refusal with 400 that names the parameter, for anything Directus wouldn't understand
 */
export function readImageRequest(
  query: ReadonlyMap<string, string>,
  accept: string | undefined,
): ImageRequest | null {
  for (const name of query.keys()) {
    if (!known.has(name))
      throw refuse('INVALID_QUERY', `Invalid query. "${name.slice(0, 40)}" is not allowed.`)
  }
  const width = readNumber(query, 'width', maxPixels)
  const height = readNumber(query, 'height', maxPixels)
  const quality = readNumber(query, 'quality', 100)
  const fit = readChoice(query, 'fit', fits)
  const format = readChoice(query, 'format', imageFormats)
  if ([width, height, quality, fit, format].every((value) => value === null)) return null
  return {
    width,
    height,
    fit: fit ?? 'cover',
    quality: quality ?? 80,
    format: format === 'auto' ? accepted(accept) : format,
  }
}

/** Whether {@link presetFor} needs the picture's size. */
export const needsSize = ({ width, height, fit }: ImageRequest): boolean =>
  height !== null && (width === null || fit === 'inside' || fit === 'outside')

/**
 * The preset to use for a request: the next larger one, else the largest. There are only a few, so
 * strangers can't have arbitrary sizes computed and stored.
 * @param type media type of the picture
 * @param size of the upright picture, if {@link needsSize}
 */
export function presetFor(
  wanted: ImageRequest,
  type: string,
  size: { width: number; height: number } | null,
): Transform {
  const { width, height, fit } = wanted
  const format = wanted.format ?? ownFormat(type)
  // PNG is lossless.
  const quality = format === 'png' ? 100 : nextLarger(qualities, wanted.quality)
  if (width === null || height === null || fit === 'inside' || fit === 'outside') {
    return {
      width: nextLarger(widths, widthOf(wanted, size)),
      height: null,
      fit: 'inside',
      quality,
      format,
    }
  }
  const preset = nextLarger(widths, width)
  const heights = (Object.keys(ratios) as Ratio[])
    .map((ratio) => heightFor(preset, ratio))
    .toSorted((a, b) => a - b)
  // One pixel of tolerance: clients round either way.
  return {
    width: preset,
    height: nextLarger(heights, (height * preset) / width - 1),
    fit,
    quality,
    format,
  }
}

/** The width that results from keeping the aspect ratio. */
function widthOf(
  { width, height, fit }: ImageRequest,
  size: { width: number; height: number } | null,
): number {
  const byHeight = height === null || !size ? null : (height * size.width) / size.height
  if (width === null) return byHeight ?? Infinity
  if (byHeight === null) return width
  return fit === 'outside' ? Math.max(width, byHeight) : Math.min(width, byHeight)
}

const nextLarger = (presets: readonly number[], wanted: number): number =>
  presets.find((preset) => preset >= wanted) ?? presets.at(-1)!

/** The picture's own format, or PNG if browsers can't display it. */
function ownFormat(type: string): Transform['format'] {
  const format = (Object.keys(formatTypes) as Transform['format'][]).find(
    (name) => formatTypes[name] === type,
  )
  return format ?? 'png'
}

function readNumber(query: ReadonlyMap<string, string>, name: string, max: number): number | null {
  const value = query.get(name)
  if (value === undefined) return null
  const number = /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > max)
    throw refuse(
      'INVALID_QUERY',
      `Invalid query. "${name}" must be a whole number from 1 to ${max}.`,
    )
  return number
}

function readChoice<Choice extends string>(
  query: ReadonlyMap<string, string>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = query.get(name)
  if (value === undefined) return null
  const choice = choices.find((each) => each === value)
  if (!choice)
    throw refuse('INVALID_QUERY', `Invalid query. "${name}" must be one of ${choices.join(', ')}.`)
  return choice
}

function accepted(accept = ''): 'avif' | 'webp' | 'jpg' {
  if (accept.includes('image/avif')) return 'avif'
  return accept.includes('image/webp') ? 'webp' : 'jpg'
}
