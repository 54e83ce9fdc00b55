import { useEffect, useRef, useState } from 'react'
import button from '../ui/button.module.css'
import type { ShownPicture } from '../ui/picture.tsx'
import styles from './project-view.module.css'

/** A whole picture in the strip; one that does not come leaves its words and another try. */
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
    <figure className={styles.slide}>
      {broken ? (
        <figcaption className={styles.broken}>
          <p>{alt || 'This picture'}</p>
          <p>The picture could not be loaded.</p>
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
