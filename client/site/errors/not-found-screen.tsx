import { SubstituteHead } from '../head/head.tsx'
import styles from './route-error.module.css'
import { WaysBack } from './ways-back.tsx'

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
          This page isn’t on the entry list. Head back to the start.
        </p>
        <div className={styles.ways}>
          <WaysBack home="Return to Home" />
        </div>
      </div>
    </div>
  )
}
