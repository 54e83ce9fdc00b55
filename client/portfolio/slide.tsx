import { useEffect, useRef, useState } from 'react'
import button from '../ui/button.module.css'
import type { ShownPicture } from '../ui/pictures/picture.tsx'
import styles from './project-view.module.css'

/** A photo in the strip; one that fails to load shows its description and a button to try again. */
export function Slide({ picture, first }: { picture: ShownPicture; first: boolean }) {
  const { src, srcSet, width, height, alt } = picture
  const [tries, setTries] = useState(0)
  const [broken, setBroken] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    // It may have failed before there was a script to hear of it.
    const { complete, naturalWidth } = image.current ?? {}
    if (complete && naturalWidth === 0) setBroken(true)
  }, [])
  return (
    <figure className={styles.slide} data-lead={first ? '' : undefined}>
      {broken ? (
        <figcaption className={styles.broken}>
          <p>{alt || 'Photo'}</p>
          <p>This photo didn’t load.</p>
          <button
            type="button"
            className={`${button.button} ${button.small}`}
            onClick={() => {
              setBroken(false)
              setTries(tries + 1)
            }}
          >
            Try again
          </button>
        </figcaption>
      ) : (
        <img
          key={tries}
          ref={image}
          {...(first ? { fetchPriority: 'high' } : { loading: 'lazy' })}
          sizes="(width < 64rem) 100vw, 70vw"
          srcSet={srcSet}
          src={src}
          width={width}
          height={height}
          alt={alt}
          onError={() => setBroken(true)}
        />
      )}
    </figure>
  )
}
