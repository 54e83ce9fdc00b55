import type sharp from 'sharp'

/**
 * The loaders of pictures made of pixels. Everything else that libvips may have been built with,
 * such as PDF, FITS or OpenSlide, is closed to a file that only claims to be a picture.
 */
const rasterLoaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map(
  (name) => `VipsForeignLoad${name}`,
)
/** Drawings of our own are always in memory; a file, which may come from anywhere, never is one. */
const ownDrawings = 'VipsForeignLoadSvgBuffer'

/** Pixels that a picture may have: more than any camera's, less than what fills the memory. */
export const maxPixels = 120_000_000

let loaded: Promise<typeof sharp> | null = null

/**
 * The picture library, with only the loaders that the site needs. Loaded with the first picture,
 * since it is most of a cold start. Open files by their path and with `limitInputPixels`.
 */
export const loadSharp = (): Promise<typeof sharp> => (loaded ??= load())

async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp')
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: [...rasterLoaders, ownDrawings] })
  library.cache(false)
  return library
}
