import { preload } from 'react-dom'
import type { Picture as PictureData } from '#shared/content.ts'
import type { ImageSet } from '#shared/images.ts'
import styles from './picture.module.css'

/** A picture as a loader prepares it: its responsive set in addition to what the layout needs. */
export type ShownPicture = Pick<PictureData, 'alt' | 'focal' | 'tone'> &
  ImageSet & {
    /** The set of another cut, for narrow screens. */
    narrowSet?: string | undefined
  }

type Props = {
  picture: ShownPicture
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string
  /** The picture that the page is judged by: fetched at once, before anything else. */
  first?: boolean
  /** How wide the cut for narrow screens is shown. */
  narrowSizes?: string
  /** Replaces the picture's own alternative text; empty for a mere decoration. */
  alt?: string
}

/** A responsive picture that fills its box around its focal point, and never shifts the page. */
export function Picture({ picture, sizes, first = false, narrowSizes = '100vw', alt }: Props) {
  const { src, srcSet, narrowSet, width, height, focal, tone } = picture
  const [x, y] = focal
  if (import.meta.env.SSR && first && narrowSet) {
    // React announces an image of its own accord, but not one with a choice of cuts. A browser that
    // renders it has it at once.
    const how = { as: 'image', fetchPriority: 'high' } as const
    preload(src, { ...how, imageSrcSet: srcSet, imageSizes: sizes, media: wide })
    preload(src, { ...how, imageSrcSet: narrowSet, imageSizes: narrowSizes, media: narrow })
  }
  const image = (
    <img
      {...(first ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
      sizes={sizes}
      srcSet={srcSet}
      src={src}
      width={width}
      height={height}
      alt={alt ?? picture.alt}
      className={styles.picture}
      data-x={fifth(x)}
      data-y={fifth(y)}
      data-tone={tone}
    />
  )
  if (!narrowSet) return image
  return (
    <picture>
      <source media={narrow} srcSet={narrowSet} sizes={narrowSizes} />
      {image}
    </picture>
  )
}

/** Where the cuts for narrow screens are shown. */
const narrow = '(width < 48rem)'
const wide = '(width >= 48rem)'

/** A share from 0 to 1 as one of five steps; style attributes are not allowed by the site's policy. */
const fifth = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 4)
