import type { ReactNode } from 'react'
import { paths } from '#shared/paths.ts'
import styles from './code-prompt.module.css'
import { SecretCodeForm } from './secret-code-form.tsx'

type Props = {
  title: string
  lead: ReactNode
  /** Where a right code leads; the client's panel where not said. */
  to?: string
}

/** What is before everything that needs a secret code. It never says what is behind. */
export function CodePrompt({ title, lead, to }: Props) {
  return (
    <div data-hero className={`night ${styles.prompt}`}>
      <div className={`wrap ${styles.inner}`}>
        <div>
          <p className={`label kerb ${styles.label}`}>Clients and staff</p>
          <h1>{title}</h1>
          <p className={styles.lead}>{lead}</p>
        </div>
        <div className={styles.card}>
          <h2>Enter your code</h2>
          <SecretCodeForm to={to} />
          <p className={styles.help}>
            No code, or it isn’t working?{' '}
            <a href={paths.contact()} data-contact="Secret code">
              Contact us
            </a>{' '}
            for a new one.
          </p>
        </div>
      </div>
    </div>
  )
}
