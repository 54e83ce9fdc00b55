import { useState, type ComponentType, type MouseEvent } from 'react'
import { paths } from '#shared/paths.ts'
import { Picture } from '../../ui/pictures/picture.tsx'
import type { GalleryLightboxProps } from './gallery-lightbox.tsx'
import styles from './gallery.module.css'
import type { ProductData } from './product-data.ts'
import { Room } from './room.tsx'

type Props = {
  product: Pick<ProductData, 'handle' | 'title' | 'pictures' | 'isNet'>
  /** The variant that is chosen. */
  variant: ProductData['variants'][number] | undefined
  /** Whether it is shown on a wall, in the place of the large picture. */
  isInRoom: boolean
  onRoom: () => void
}

/**
 * The pictures of a product: a large one and the others below; each opens whole. What hangs on a wall
 * is shown there, too, as large as it is and in its frame.
 */
export function Gallery({ product, variant, isInRoom, onRoom }: Props) {
  const { handle, title, pictures, isNet } = product
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
  const wall = variant?.wall
  const isRoomLarge = Boolean(wall) && isInRoom
  const said = wall ? `On a wall, in proportion: ${wall.width} × ${wall.height} cm` : undefined
  return (
    <div className={styles.gallery}>
      {pictures.length === 0 && !isRoomLarge && <div className={styles.nothing} />}
      <ul>
        {wall && isRoomLarge && (
          <li>
            <figure className={styles.frame}>
              <Room wall={wall} />
              <figcaption className="unseen">{said}</figcaption>
            </figure>
          </li>
        )}
        {pictures.map(({ large, whole }, index) => (
          <li key={large.src}>
            <a
              href={whole.src}
              className={styles.frame}
              aria-label={`Photo ${index + 1} of ${pictures.length}, full size: ${large.alt || title}`}
              onClick={(event) => void show(index)(event)}
            >
              <Picture
                picture={large}
                sizes={
                  index === 0 && !isRoomLarge
                    ? '(width < 60rem) 92vw, 46vw'
                    : '(width < 60rem) 30vw, 15vw'
                }
                first={index === 0}
              />
            </a>
          </li>
        ))}
        {wall && !isRoomLarge && (
          <li>
            <a
              href={`${paths.product(handle)}?${isNet ? 'prices=net&' : ''}variant=${encodeURIComponent(variant.variant)}`}
              className={styles.frame}
              aria-label={said}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                onRoom()
              }}
            >
              <Room wall={wall} isSmall />
            </a>
          </li>
        )}
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
