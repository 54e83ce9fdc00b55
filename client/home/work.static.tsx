import { paths } from '#shared/paths.ts'
import { below } from '../ui/below.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import type { HomeCase } from './loader.ts'
import styles from './work.module.css'

/** The latest cases, from edge to edge. */
export const Component = ({ cases }: { cases: readonly HomeCase[] }) => (
  <section className={`night ${styles.work}`} aria-labelledby="work-title">
    <div className={`wrap ${styles.head}`}>
      <h2 id="work-title">Selected work</h2>
      <a href={paths.portfolio()} className={button.arrow}>
        <span>All work</span> <ArrowIcon />
      </a>
    </div>
    <ul className={styles.cases}>
      {cases.map((each, index) => (
        <li key={each.slug} {...below}>
          <Case of={each} wide={index === 0} />
        </li>
      ))}
    </ul>
  </section>
)

const Case = ({
  of: { slug, title, about, number, picture },
  wide,
}: {
  of: HomeCase
  wide: boolean
}) => (
  <article className={styles.case}>
    <div className={styles.frame}>
      <Picture picture={picture} alt="" sizes={wide ? '100vw' : '(width < 48rem) 100vw, 50vw'} />
    </div>
    <div className={styles.words}>
      <div>
        <h3>
          <a href={paths.project(slug)}>{title}</a>
        </h3>
        <p>{about}</p>
      </div>
      {number && (
        <p className={styles.number}>
          <strong>{number.value}</strong> {number.label}
        </p>
      )}
    </div>
  </article>
)
