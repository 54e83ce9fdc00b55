import { Lightbox, ZoomablePicture } from '../../ui/pictures/lightbox.tsx'
import styles from './gallery-lightbox.module.css'
import type { ProductData } from './product-data.ts'

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
      label={`Photos of ${title}`}
      title={alt || title}
      index={index}
      count={pictures.length}
      onMove={onMove}
      onClose={onClose}
      ahead={[pictures[index + 1]?.whole.src ?? ''].filter(Boolean)}
    >
      <ZoomablePicture key={src} label={alt || title}>
        <img
          sizes="100vw"
          srcSet={srcSet}
          src={src}
          width={width}
          height={height}
          alt={alt || title}
          className={styles.whole}
        />
      </ZoomablePicture>
    </Lightbox>
  )
}
