import { ArrowIcon } from '../ui/icons.tsx'
import type { ShownProject } from './loader.ts'
import styles from './project-view.module.css'
import { Slide } from './slide.tsx'
import type { Carousel } from './use-carousel.ts'

type Props = Pick<ShownProject, 'title' | 'pictures'> & { carousel: Carousel }

/** The pictures of a project in a strip, with which of them is seen and buttons to the next ones. */
export function ProjectPictures({ title, pictures, carousel }: Props) {
  const { strip, current, go, onScroll } = carousel
  return (
    <div className={styles.stage}>
      <div
        ref={strip}
        className={styles.strip}
        role="group"
        aria-label={`Photos of ${title}`}
        // A scrolling region has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
      >
        {pictures.map((picture, index) => (
          <Slide key={picture.src} picture={picture} first={index === 0} />
        ))}
        {pictures.length === 0 && <div className={styles.none} />}
      </div>
      <div className={styles.tools}>
        <p role="status" className={styles.counter}>
          <span className="unseen">Photo </span>
          {current + 1} / {Math.max(1, pictures.length)}
          <span className="unseen">: {pictures[current]?.alt}</span>
        </p>
        {pictures.length > 1 && (
          <>
            <button
              type="button"
              className={styles.previous}
              aria-label="Previous photo"
              onClick={() => go(current - 1)}
            >
              <ArrowIcon />
            </button>
            <button type="button" aria-label="Next photo" onClick={() => go(current + 1)}>
              <ArrowIcon />
            </button>
          </>
        )}
      </div>
    </div>
  )
}
