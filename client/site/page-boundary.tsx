import { Component, type ReactNode } from 'react'
import button from '../ui/button.module.css'
import styles from './error-page.module.css'

/** The global error boundary (spec 2.2): catches a page that breaks while it is shown. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: string | null }> {
  override state = { broken: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error.message : 'An unknown error occurred' }
  }

  override render() {
    const { broken } = this.state
    if (broken === null) return this.props.children
    return (
      <div data-hero className={`night ${styles.screen}`} role="alert">
        <div className="wrap">
          <h1>Something went wrong</h1>
          <p className={styles.detail}>{broken}</p>
          <div className={styles.ways}>
            <button
              type="button"
              className={button.button}
              onClick={() => this.setState({ broken: null })}
            >
              Try Again
            </button>
          </div>
        </div>
      </div>
    )
  }
}
