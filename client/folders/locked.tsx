import { useEffect, useRef } from 'react'
import type { LockedFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import { ArrowIcon, Icon } from '../ui/icons.tsx'
import button from '../ui/button.module.css'
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
          <label htmlFor="folder-password">Password</label>
          <div className={styles.row}>
            <input
              ref={field}
              id="folder-password"
              name="password"
              type="password"
              required
              maxLength={200}
              autoComplete="current-password"
              aria-invalid={wrong || undefined}
              aria-describedby={wrong ? 'folder-wrong' : undefined}
            />
            <button type="submit" className={button.button}>
              Open <ArrowIcon />
            </button>
          </div>
          {wrong && (
            <p id="folder-wrong" role="alert" className={styles.wrong}>
              <Icon size={20}>
                <path d="M12 3 2 20h20L12 3Zm0 6v5m0 2.5v.5" />
              </Icon>
              That password is not right. Mind capital letters, and try again.
            </p>
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
