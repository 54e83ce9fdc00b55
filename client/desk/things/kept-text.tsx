import { resultPlace } from '../../forms/result.ts'
import { Alert } from '../../ui/alert.tsx'
import styles from './ticket.module.css'

/** What was typed by someone whose code has ended meanwhile; nothing where nothing was. */
export const KeptText = ({ text }: { text: string }) =>
  text && (
    <div className={`wrap ${styles.kept}`}>
      <Alert
        {...resultPlace}
        tone="bad"
        title="You’re signed out, so nothing was sent"
        role="alert"
      >
        <p>Copy your text, sign in again and send it from this page.</p>
        <pre className={styles.text}>{text}</pre>
      </Alert>
    </div>
  )
