import {
  fits,
  heightFor,
  imageFormats,
  imageWidths,
  ratios,
  thumbnailWidths,
  type Ratio,
} from '#shared/images.ts'
import { refuse } from './wire.ts'

/** What is asked of a picture; null where it stays as it is. */
export type Transform = {
  readonly width: number | null
  readonly height: number | null
  readonly fit: (typeof fits)[number]
  /** 10 to 100, in tens. */
  readonly quality: number
  readonly format: 'webp' | 'jpg' | 'png' | 'avif' | null
}

/** Media types of the formats that pictures are made in. */
export const formatTypes = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
} as const

const known = new Set<string>(['width', 'height', 'fit', 'quality', 'format', 'v', 'download'])
const widths: readonly number[] = [...thumbnailWidths, ...imageWidths]

/**
 * Reads the parameters of an asset address. Only sizes of the site are made, so that nobody can
 * have every other size computed and kept.
 * @param accept the client's Accept header, for the format `auto`
 * @returns null when the file is wanted as it is
 * @throws a refusal with 400 that names the parameter
 */
export function readTransform(
  query: ReadonlyMap<string, string>,
  accept: string | undefined,
): Transform | null {
  for (const name of query.keys()) {
    if (!known.has(name))
      throw refuse('INVALID_QUERY', `Invalid query. "${name.slice(0, 40)}" is not allowed.`)
  }
  const width = readNumber(query, 'width')
  const height = readNumber(query, 'height')
  const quality = readNumber(query, 'quality')
  const fit = readChoice(query, 'fit', fits)
  const format = readChoice(query, 'format', imageFormats)
  if (width !== null && !widths.includes(width)) {
    throw refuse('INVALID_QUERY', `Invalid query. "width" must be one of ${widths.join(', ')}.`)
  }
  if (quality !== null && (quality < 1 || quality > 100)) {
    throw refuse('INVALID_QUERY', 'Invalid query. "quality" must be from 1 to 100.')
  }
  if ([width, height, quality, fit, format].every((value) => value === null)) return null
  return {
    width,
    height: height === null ? null : presetHeight(width, height),
    fit: fit ?? 'cover',
    quality: Math.max(10, Math.round((quality ?? 80) / 10) * 10),
    format: format === 'auto' ? accepted(accept) : format,
  }
}

function readNumber(query: ReadonlyMap<string, string>, name: string): number | null {
  const value = query.get(name)
  if (value === undefined) return null
  if (!/^\d{1,4}$/.test(value))
    throw refuse('INVALID_QUERY', `Invalid query. "${name}" must be a whole number.`)
  return Number(value)
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

/** The height of the shape that was meant, whichever way its maker rounded. */
function presetHeight(width: number | null, height: number): number {
  const heights =
    width === null ? [] : (Object.keys(ratios) as Ratio[]).map((ratio) => heightFor(width, ratio))
  const preset = heights.find((each) => Math.abs(each - height) <= 1)
  if (preset !== undefined) return preset
  throw refuse(
    'INVALID_QUERY',
    `Invalid query. "height" must fit "width" in one of ${Object.keys(ratios).join(', ')}.`,
  )
}

function accepted(accept = ''): 'avif' | 'webp' | 'jpg' {
  if (accept.includes('image/avif')) return 'avif'
  return accept.includes('image/webp') ? 'webp' : 'jpg'
}
