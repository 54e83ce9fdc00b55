import { paths } from './paths.ts'

/** Widths of a responsive image set (docs/contract.md, Assets), in pixels. */
export const imageWidths = [640, 750, 828, 1080, 1200, 1920] as const

/**
 * Up to this width a picture that a page begins with is made for phones, which show two or three of
 * its pixels in one of their points: with {@link phoneQuality} nobody sees a difference there, and it
 * comes in half the bytes.
 */
const widestForPhones = 828
const phoneQuality = 60

/** Widths of thumbnails, portraits and logos. */
export const thumbnailWidths = [96, 192, 320, 480] as const

/** Widths of the set of a picture that stays small on every screen, as in the shop. */
export const smallWidths = [320, 480, 640, 828, 1080] as const

/** Shapes that a picture may be cut to, as width to height. */
export const ratios = {
  '21:9': [21, 9],
  '16:9': [16, 9],
  '3:2': [3, 2],
  '4:3': [4, 3],
  '1:1': [1, 1],
  '4:5': [4, 5],
} as const satisfies Record<string, readonly [number, number]>

/** The name of a shape. */
export type Ratio = keyof typeof ratios

/** How a picture meets its box: as CSS' object-fit, and sharp's `fit`. */
export const fits = ['cover', 'contain', 'inside', 'outside'] as const

/** Formats that pictures are made in; `auto` is the best that the client accepts. */
export const imageFormats = ['webp', 'jpg', 'png', 'avif', 'auto'] as const

/** What {@link assetUrl} may ask for; sizes in pixels, quality from 1 to 100. */
export type AssetOptions = {
  width?: number
  height?: number
  fit?: (typeof fits)[number]
  quality?: number
  format?: (typeof imageFormats)[number]
  /** Names the content of the file, so the reply may be kept forever. */
  version?: string | null
}

/** The height that belongs to a width in a shape, in whole pixels. */
export function heightFor(width: number, ratio: Ratio): number {
  const [across, down] = ratios[ratio]
  return Math.round((width * down) / across)
}

/**
 * The address of an asset (docs/contract.md, Assets). Sizes come from {@link imageWidths},
 * {@link thumbnailWidths} and {@link heightFor}; instead of others the server makes the next larger
 * one.
 * @param id file id; an absolute URL or path passes through unchanged
 * @param options without any, the file as it is; else quality 80 and webp where not said
 */
export function assetUrl(id: string, options: AssetOptions = {}): string {
  if (isAddress(id)) return id
  const { width, height, fit, version, quality = 80, format = 'webp' } = options
  const changes = [width, height, fit, options.quality, options.format].some(Boolean)
  let query = ''
  // One after the other: a page has hundreds of these addresses.
  const add = (name: string, value: string | number | null | undefined) => {
    if (value === undefined || value === null) return
    query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`
  }
  add('width', width)
  add('height', height)
  add('fit', fit)
  if (changes) {
    add('quality', quality)
    add('format', format)
  }
  add('v', version)
  return paths.asset(encodeURIComponent(id)) + query
}

/** The attributes of an `<img>` with a responsive set; `srcSet` is absent for foreign pictures. */
export type ImageSet = {
  src: string
  srcSet: string | undefined
  width: number | undefined
  height: number | undefined
}

type KnownPicture = {
  id: string
  width?: number | null
  height?: number | null
  version?: string | null
}

/**
 * A responsive image set.
 * @param picture a picture, or a file id alone
 * @param options `ratio` cuts it to a shape; `widths` replaces those of docs/contract.md, Assets;
 *   `format` is that of the set, while `src` stays webp for those who know no sets; `isFirst` for the
 *   picture that a page begins with, which is lighter in the widths of phones
 * @returns the attributes; width and height reserve the room, so nothing shifts
 */
export function imageSet(
  picture: string | KnownPicture,
  {
    ratio,
    widths = imageWidths,
    format,
    isFirst = false,
  }: {
    ratio?: Ratio
    widths?: readonly number[]
    format?: AssetOptions['format']
    isFirst?: boolean
  } = {},
): ImageSet {
  const known: KnownPicture = typeof picture === 'string' ? { id: picture } : picture
  const { id, version } = known
  const natural = known.width && known.height ? known.height / known.width : undefined
  const heightOf = (width: number) =>
    ratio ? heightFor(width, ratio) : natural && Math.round(width * natural)
  if (isAddress(id)) {
    const width = known.width ?? undefined
    return { src: id, srcSet: undefined, width, height: known.height ?? undefined }
  }
  const url = (width: number, options: AssetOptions = {}) =>
    assetUrl(id, {
      width,
      version,
      ...options,
      ...(ratio && { height: heightFor(width, ratio), fit: 'cover' as const }),
    })
  const useful = usefulWidths(widths, widthWithin(known, ratio))
  const largest = useful.at(-1) ?? 0
  // A browser without srcset, or a feed reader, gets the middle of the set.
  const middle = useful.findLast((width) => width <= 1080) ?? largest
  return {
    src: url(middle),
    srcSet: useful
      .map((width) => {
        const isLight = isFirst && width <= widestForPhones
        return `${url(width, { format, ...(isLight && { quality: phoneQuality }) })} ${width}w`
      })
      .join(', '),
    width: largest,
    height: heightOf(largest),
  }
}

/** How many of its pixels a picture has across, once it is cut to a shape. */
function widthWithin({ width, height }: KnownPicture, ratio: Ratio | undefined) {
  if (!ratio || !width || !height) return width
  const [across, down] = ratios[ratio]
  return Math.min(width, Math.ceil((height * across) / down))
}

/** Ascending widths, without those beyond the first that already shows every pixel. */
function usefulWidths(widths: readonly number[], natural: number | null | undefined): number[] {
  const ascending = [...widths].toSorted((a, b) => a - b)
  const enough = natural ? ascending.findIndex((width) => width >= natural) : -1
  return enough < 0 ? ascending : ascending.slice(0, enough + 1)
}

/** Whether a picture is an address, not the id of a file. */
export const isAddress = (id: string) => /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(id)
