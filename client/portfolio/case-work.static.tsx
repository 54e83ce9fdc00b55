import { Facts } from '../ui/lists/facts.tsx'
import { Picture, type ShownPicture } from '../ui/pictures/picture.tsx'
import { Quote } from '../ui/text/quote.tsx'
import type { CaseData } from './case-loader.ts'
import styles from './case-page.module.css'

/** The work in numbers and pictures, what the client said, and who did it. */
export function Component({ project }: { project: CaseData }) {
  const { numbers, credits, quote } = project
  const [, ...rest] = project.pictures
  return (
    <>
      {numbers.length > 0 && (
        <dl className={`wrap ${styles.numbers}`}>
          {numbers.map(({ value, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Pictures pictures={rest.slice(0, 2)} />
      {quote && (
        <div className={`night ${styles.said}`}>
          <div className="wrap">
            <Quote said={quote} className={styles.quote} />
          </div>
        </div>
      )}
      <Pictures pictures={rest.slice(2)} />
      {credits.length > 0 && (
        <section className={`wrap ${styles.credits}`} aria-labelledby="credits-title">
          <h2 id="credits-title">Credits</h2>
          <Facts facts={credits.map(({ role, name }) => [role, name] as const)} />
        </section>
      )}
    </>
  )
}

/** Pictures in a changing rhythm, each in its own shape. */
function Pictures({ pictures }: { pictures: readonly ShownPicture[] }) {
  if (pictures.length === 0) return null
  return (
    <div className={styles.pictures}>
      {pictures.map((picture) => (
        <figure
          key={picture.src}
          data-upright={(picture.height ?? 0) > (picture.width ?? 0) ? '' : undefined}
        >
          <Picture picture={picture} sizes="(width < 48rem) 100vw, 66vw" />
        </figure>
      ))}
    </div>
  )
}
