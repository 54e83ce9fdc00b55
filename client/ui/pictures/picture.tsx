import type { Picture as PictureData } from '#shared/content.ts'
import type { ImageSet } from '#shared/images.ts'
import styles from './picture.module.css'

/** A picture as a loader prepares it: its responsive set beside what the layout needs. */
export type ShownPicture = Pick<PictureData, 'alt' | 'focal'> & ImageSet

type Props = {
  picture: ShownPicture
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string
  /** The picture that the page is judged by: fetched at once, before anything else. */
  first?: boolean
  /** Replaces the picture's own alternative text; empty for a mere decoration. */
  alt?: string
}

/** A responsive picture that fills its box around its focal point, and never shifts the page. */
export function Picture({ picture, sizes, first = false, alt }: Props) {
  const { src, srcSet, width, height, focal } = picture
  const [x, y] = focal
  return (
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
    />
  )
}

/** A share from 0 to 1 as one of five steps; style attributes are not allowed by the site's policy. */
const fifth = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 4)
