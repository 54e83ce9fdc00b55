import styles from './honeypot.module.css'

/** A field that people never see: only robots fill it in (docs/contract.md, Contact form). */
export const Honeypot = ({ label }: { label: string }) => (
  <div className={styles.honeypot} aria-hidden="true">
    <label>
      {label} <input name="website" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)
