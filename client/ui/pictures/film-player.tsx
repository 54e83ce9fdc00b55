import { useState, type ComponentProps } from 'react'
import { paths } from '#shared/paths.ts'
import { Alert } from '../alert.tsx'

/**
 * A film in the browser's own player, which every keyboard and screen reader knows. Nothing of it is
 * loaded before someone plays it, so only then it turns out that it's gone; players say nothing of that
 * and stay dark.
 */
export function FilmPlayer(props: ComponentProps<'video'> & { src: string }) {
  const [isMissing, setMissing] = useState(false)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are up to the film's page */}
      <video {...props} controls playsInline preload="none" onError={() => setMissing(true)} />
      {isMissing && (
        <Alert tone="bad" role="alert">
          <p>
            The film didn’t load. Reload the page to try again, or{' '}
            <a href={paths.contact()}>tell us</a>.
          </p>
        </Alert>
      )}
    </>
  )
}
