import { Lightbox } from '../ui/lightbox.tsx'
import styles from './gallery.module.css'
import type { ProductData } from './product-loader.ts'

/** The pictures of a product, and which of them is open. */
export type GalleryLightboxProps = {
  title: string
  pictures: ProductData['pictures']
  index: number
  onMove: (index: number) => void
  onClose: () => void
}

/** The pictures of a product one at a time, whole, over the page. */
export function GalleryLightbox({ title, pictures, index, onMove, onClose }: GalleryLightboxProps) {
  const shown = pictures[index]
  if (!shown) return null
  const { src, srcSet, width, height, alt } = shown.whole
  return (
    <Lightbox
      label={`Pictures of ${title}`}
      title={alt || title}
      index={index}
      count={pictures.length}
      onMove={onMove}
      onClose={onClose}
      ahead={[pictures[index + 1]?.whole.src ?? ''].filter(Boolean)}
    >
      <img
        key={src}
        sizes="100vw"
        srcSet={srcSet}
        src={src}
        width={width}
        height={height}
        alt={alt || title}
        className={styles.whole}
      />
    </Lightbox>
  )
}
