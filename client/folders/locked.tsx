import { useEffect, useRef } from 'react'
import type { LockedFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Field } from '../ui/field.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './locked.module.css'

/** Asks for the password of a folder; of the folder itself it says nothing. */
export function Locked({ folder: { id, wrong, to } }: { folder: LockedFolder }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (wrong) field.current?.focus()
  }, [wrong])
  return (
    <div data-hero className={`night ${styles.screen}`}>
      <div className={`wrap ${styles.inner}`}>
        <p className={`label ${styles.label}`}>Shared folder</p>
        <h1>Parc fermé</h1>
        <p className={styles.lead}>
          These files are for invited eyes. Enter the password that came with your link.
        </p>
        <form method="post" action={paths.folderPassword(id)} className={styles.form}>
          <input type="hidden" name="to" value={to} />
          <div className={styles.row}>
            <Field
              ref={field}
              label="Password"
              name="password"
              type="password"
              required
              maxLength={200}
              autoComplete="current-password"
              aria-invalid={wrong || undefined}
              aria-describedby={wrong ? 'folder-wrong' : undefined}
              className={styles.password}
            />
            <button type="submit" className={button.button}>
              Open <ArrowIcon />
            </button>
          </div>
          {wrong && (
            <Alert id="folder-wrong" tone="bad" role="alert">
              That password is not right. Mind capital letters, and try again.
            </Alert>
          )}
        </form>
        <p className={styles.help}>
          No password?{' '}
          <a href={paths.contact()} data-contact="Password of a shared folder">
            Ask us for it
          </a>
          , or <a href={paths.clientZone()}>enter your secret code</a> if you are a client.
        </p>
      </div>
    </div>
  )
}
