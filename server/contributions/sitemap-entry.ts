import { assetUrl } from '#shared/images.ts'

/** A page for search engines. */
export type SitemapEntry = {
  path: string
  /** When its content last changed, in milliseconds of the epoch; null where it is not known. */
  modifiedAt: number | null
  /** Path of its main picture. */
  image: string | null
}

/**
 * An entry, with null for what is not known.
 * @param picture what a row has as its picture: only a file of the content service is named
 */
export function sitemapEntry(
  path: string,
  { modifiedAt, picture }: { modifiedAt?: number | null; picture?: string | null | undefined } = {},
): SitemapEntry {
  return { path, modifiedAt: modifiedAt ?? null, image: picture ? picturePath(picture) : null }
}

/** The newest of some times, of which any may be unknown. */
export const newestOf = (times: readonly (number | null)[]): number | null =>
  times.reduce((newest, at) => (newest === null || (at ?? 0) > newest ? at : newest), null)

function picturePath(id: string): string | null {
  const url = assetUrl(id, { width: 1200, format: 'jpg' })
  return url.startsWith('/') && url !== id ? url : null
}
