import { FilmPlayer } from '../ui/pictures/film-player.tsx'
import type { CaseData } from './case-loader.ts'
import styles from './film.module.css'

/** The film of a case, with its captions. */
export function Film({ film, title }: { film: NonNullable<CaseData['film']>; title: string }) {
  const { src, captions, poster } = film
  return (
    <section className={`night ${styles.film}`} aria-label="Film">
      <div className={`wrap ${styles.frame}`}>
        <FilmPlayer
          src={src}
          poster={poster ?? undefined}
          width={1920}
          height={1080}
          aria-label={`Film: ${title}`}
        >
          {captions && (
            <track kind="captions" src={captions} srcLang="en" label="English" default />
          )}
          <a href={src}>Download the film</a>
        </FilmPlayer>
      </div>
    </section>
  )
}
