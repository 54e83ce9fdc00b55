import { FilmPlayer } from '../ui/pictures/film-player.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import type { CaseData } from './case-loader.ts'
import styles from './film.module.css'

/**
 * The film of a case, with its captions. Browsers fetch poster and captions at once, however far down
 * they are, and took half of the line from the first view, so both come with the code of the page.
 */
export function Film({ film, title }: { film: NonNullable<CaseData['film']>; title: string }) {
  const { src, captions, poster } = film
  const hasScripts = useHydrated()
  const player = (isWhole: boolean) => (
    <FilmPlayer
      src={src}
      poster={(isWhole && poster) || undefined}
      width={1920}
      height={1080}
      aria-label={`Film: ${title}`}
    >
      {isWhole && captions && (
        <track kind="captions" src={captions} srcLang="en" label="English" default />
      )}
      <a href={src}>Download the film</a>
    </FilmPlayer>
  )
  return (
    <section className={`night ${styles.film}`} aria-label="Film">
      <div className={`wrap ${styles.frame}`}>
        <noscript>{player(true)}</noscript>
        {player(hasScripts)}
      </div>
    </section>
  )
}
