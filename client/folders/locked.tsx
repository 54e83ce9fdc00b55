import type { LockedFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Field, fieldsOf } from '../forms/field.tsx'
import { post, useForm } from '../forms/use-form.ts'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './locked.module.css'

/** What is said of a form that found its folder locked, such as after a session had ended. */
export const undoneTexts = {
  download: 'Your download hasn’t started. Once you’re in, download your selection again.',
  favourites: 'Your favourites weren’t sent. Once you’re in, send them again.',
} as const satisfies Record<NonNullable<LockedFolder['undone']>, string>

/** Asks for the password of a folder; of the folder itself it says nothing. */
export function Locked({ folder: { id, wrong, to, undone } }: { folder: LockedFolder }) {
  const { errors, isSending, formProps } = useForm(
    async ({ password }, form) => {
      if (!password) return { password: 'Please enter the password' }
      post(form)
      return null
    },
    wrong ? { password: 'Wrong password. It’s case-sensitive; try again.' } : undefined,
  )
  return (
    <div data-hero className={`night ${styles.screen}`}>
      <div className={`wrap ${styles.inner}`}>
        <p className={`label ${styles.label}`}>Gallery</p>
        <h1>This gallery is private</h1>
        <p className={styles.lead}>
          {undone && `${undoneTexts[undone]} `}
          Enter the password that came with your link.
        </p>
        <form
          method="post"
          action={paths.folderPassword(id)}
          className={styles.form}
          {...formProps}
        >
          <input type="hidden" name="to" value={to} />
          <div className={styles.row}>
            <Field
              label="Password"
              {...fieldsOf('folder', { entries: {}, errors })('password')}
              type="password"
              required
              maxLength={200}
              autoComplete="current-password"
              className={styles.password}
            />
            <button className={button.button} aria-disabled={isSending || undefined}>
              Open <ArrowIcon />
            </button>
          </div>
        </form>
        <p className={styles.help}>
          Don’t have it?{' '}
          <a href={paths.contact()} data-contact="Password of a gallery">
            Ask us
          </a>
          , or <a href={paths.clientZone()}>sign in with your client code</a>.
        </p>
      </div>
    </div>
  )
}
