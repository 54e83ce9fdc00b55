import { maxTargetLength } from '#shared/link-rules.ts'
import type { ShownLink } from '#shared/links.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Field } from '../forms/field.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import styles from './link-form.module.css'
import { useSaveLink } from './use-save-link.ts'

type Props = {
  /** The link to change; null makes a new one. */
  link: ShownLink | null
  onSaved: (link: ShownLink) => void
  onCancel?: () => void
}

/** Everything that can be said about a link; what is seldom said is folded away. */
export function LinkForm({ link, onSaved, onCancel }: Props) {
  const { form, more, problems, saving, save } = useSaveLink(link, onSaved)
  const { errors } = problems
  return (
    <form ref={form} noValidate className={styles.form} onSubmit={(event) => void save(event)}>
      {link === null && <input type="hidden" name="key" />}
      <div className={styles.main} data-new={link === null || undefined}>
        <Field
          label="Destination URL"
          name="target"
          type="url"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          maxLength={maxTargetLength}
          required
          defaultValue={link?.target}
          error={errors.target}
        />
        {link === null && (
          <Field
            label="Short code"
            hint="Leave empty for a random code"
            name="code"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            placeholder="season27"
            error={errors.code}
          />
        )}
        {link === null && (
          <button
            className={`${button.button} ${styles.shorten}`}
            aria-disabled={saving || undefined}
          >
            {saving ? 'Saving...' : 'Shorten'}
          </button>
        )}
      </div>
      <AdvancedFields ref={more} link={link} errors={errors} />
      {problems.message && (
        <Alert tone="bad" role="alert" className={styles.problem}>
          {problems.message}
        </Alert>
      )}
      {link !== null && <SaveOrCancel saving={saving} onCancel={onCancel} />}
    </form>
  )
}

/** The two ways to end a change. */
const SaveOrCancel = ({ saving, onCancel }: { saving: boolean } & Pick<Props, 'onCancel'>) => (
  <div className={styles.ways}>
    <button className={`${button.button} ${button.small}`} aria-disabled={saving || undefined}>
      {saving ? 'Saving...' : 'Save changes'}
    </button>
    <button
      type="button"
      className={`${button.button} ${button.small} ${button.quiet}`}
      onClick={onCancel}
    >
      Cancel
    </button>
  </div>
)
