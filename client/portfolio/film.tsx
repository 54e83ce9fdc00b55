import type { CaseData } from './case-loader.ts'
import styles from './film.module.css'

/**
 * The film of a case in the browser's own player, which every keyboard and screen reader knows.
 * Nothing of it is loaded before someone plays it.
 */
export function Film({ film, title }: { film: NonNullable<CaseData['film']>; title: string }) {
  const { src, captions, poster } = film
  return (
    <section className={`night ${styles.film}`} aria-label="Film">
      <div className={`wrap ${styles.frame}`}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a film without speech has none */}
        <video
          controls
          playsInline
          preload="none"
          poster={poster ?? undefined}
          width={1920}
          height={1080}
          aria-label={`Film: ${title}`}
        >
          <source src={src} />
          {captions && (
            <track kind="captions" src={captions} srcLang="en" label="English" default />
          )}
          <a href={src}>Download the film</a>
        </video>
      </div>
    </section>
  )
}
