import type { Exif } from 'exif-reader'

/** Characters of a name or notice that are kept. */
const longestText = 500

/**
 * Author and copyright from EXIF, by the names that sharp's `withExif` takes.
 * @param exif as sharp's metadata gives it
 */
export async function creditOf(exif: Buffer | undefined): Promise<Record<string, string>> {
  if (!exif) return {}
  try {
    const { default: read } = await import('exif-reader')
    const { Image = {} }: Exif = read(exif)
    const texts = { Artist: Image.Artist, Copyright: Image.Copyright }
    return Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => {
        const clean = typeof text === 'string' ? text.replaceAll('\u0000', '').trim() : ''
        return clean ? [[name, clean.slice(0, longestText)]] : []
      }),
    )
  } catch {
    // Damaged metadata of a good picture.
    return {}
  }
}
