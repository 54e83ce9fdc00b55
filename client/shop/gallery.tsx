import { useState, type ComponentType, type MouseEvent } from 'react'
import { Picture } from '../ui/picture.tsx'
import type { GalleryLightboxProps } from './gallery-lightbox.tsx'
import styles from './gallery.module.css'
import type { ProductData } from './product-loader.ts'

type Props = { title: string; pictures: ProductData['pictures'] }

/** The pictures of a product: a large one and the others below; each opens whole. */
export function Gallery({ title, pictures }: Props) {
  const [open, setOpen] = useState<number | null>(null)
  const [Viewer, setViewer] = useState<ComponentType<GalleryLightboxProps> | null>(null)
  // Most visitors never open it, so its code comes with the first press; without it, the file does.
  const show = (index: number) => async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const { GalleryLightbox } = await import('./gallery-lightbox.tsx')
    setViewer(() => GalleryLightbox)
    setOpen(index)
  }
  return (
    <div className={styles.gallery}>
      {pictures.length === 0 && <div className={styles.nothing} />}
      <ul data-count={pictures.length}>
        {pictures.map(({ large, whole }, index) => (
          <li key={large.src}>
            <a
              href={whole.src}
              className={styles.frame}
              aria-label={`Picture ${index + 1} of ${pictures.length}, whole: ${large.alt || title}`}
              onClick={(event) => void show(index)(event)}
            >
              <Picture
                picture={large}
                sizes={index === 0 ? '(width < 60rem) 92vw, 46vw' : '(width < 60rem) 30vw, 15vw'}
                first={index === 0}
              />
            </a>
          </li>
        ))}
      </ul>
      {Viewer && open !== null && (
        <Viewer
          title={title}
          pictures={pictures}
          index={open}
          onMove={setOpen}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}
