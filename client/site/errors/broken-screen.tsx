import button from '../../ui/button.module.css'
import styles from './route-error.module.css'

/** What the global error boundary shows (docs/contract.md, Errors). */
export function BrokenScreen({ message, retry }: { message: string; retry: () => void }) {
  return (
    <div data-hero className={`night ${styles.screen}`} role="alert">
      <div className="wrap">
        <h1>Something went wrong</h1>
        <p className={styles.detail}>{message}</p>
        <div className={styles.ways}>
          <button type="button" className={button.button} onClick={retry}>
            Try Again
          </button>
        </div>
      </div>
    </div>
  )
}
