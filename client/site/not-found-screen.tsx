import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { SubstituteHead } from './head.tsx'
import styles from './route-error.module.css'

/** What the page of an address that does not exist shows (docs/contract.md, Pages). */
export function NotFoundScreen() {
  return (
    <div data-hero className={`night ${styles.screen}`}>
      <SubstituteHead title="Page not found" />
      <div className="wrap">
        <h1>
          <span className={styles.status}>404</span> Oops! Page not found
        </h1>
        <p className={styles.explanation}>
          This corner is not on the track map. The line back to the start is below.
        </p>
        <div className={styles.ways}>
          <a href={paths.home()} className={button.button}>
            Return to Home
          </a>
        </div>
      </div>
    </div>
  )
}
