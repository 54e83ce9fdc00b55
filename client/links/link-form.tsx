import { useId, useRef, useState, type SubmitEvent } from 'react'
import { longestNote, longestTarget, longestUtm, utmNames } from '#shared/link-rules.ts'
import type { ShownLink } from '#shared/links.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { FieldSet } from '../ui/field-set.tsx'
import { fieldsOf } from './form-fields.ts'
import styles from './link-form.module.css'
import type { Problems } from './save.ts'

type Props = {
  /** The link to change; null makes a new one. */
  link: ShownLink | null
  onSaved: (link: ShownLink) => void
  onCancel?: () => void
}

const advanced = ['startsAt', 'expiresAt', 'maxClicks', 'note', 'utm']

/** Everything that can be said about a link; what is seldom said is folded away. */
export function LinkForm({ link, onSaved, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const more = useRef<HTMLDetailsElement>(null)
  const [problems, setProblems] = useState<Problems>({ errors: {}, message: null })
  const [saving, setSaving] = useState(false)
  const hint = useId()
  const { errors } = problems

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving) return
    setSaving(true)
    const fields = fieldsOf(new FormData(event.currentTarget), link === null)
    const saved = await import('./save.ts').then(
      ({ saveLink }) => saveLink(fields, link?.code ?? null),
      () => ({ errors: {}, message: 'The server cannot be reached. Please try again.' }),
    )
    setSaving(false)
    if ('link' in saved) {
      setProblems({ errors: {}, message: null })
      if (link === null) form.current?.reset()
      onSaved(saved.link)
      return
    }
    setProblems(saved)
    const wrong = Object.keys(saved.errors)
    if (more.current && wrong.some((name) => advanced.some((each) => name.startsWith(each)))) {
      more.current.open = true
    }
    const [first = ''] = wrong
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus(),
    )
  }

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={(event) => void save(event)}>
      <div className={styles.main} data-new={link === null || undefined}>
        <Field
          label="Long address"
          name="target"
          type="url"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          maxLength={longestTarget}
          required
          defaultValue={link?.target}
          error={errors.target}
        />
        {link === null && (
          <Field
            label="Code"
            hint="Drawn when empty"
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
      <details ref={more} open={link !== null} className={styles.more}>
        <summary>Start, end, clicks, campaign</summary>
        <div className={styles.grid}>
          <Field
            label="Works from"
            name="startsAt"
            type="datetime-local"
            aria-describedby={hint}
            defaultValue={local(link?.startsAt)}
            error={errors.startsAt}
          />
          <Field
            label="Works until"
            name="expiresAt"
            type="datetime-local"
            aria-describedby={hint}
            defaultValue={local(link?.expiresAt)}
            error={errors.expiresAt}
          />
          <Field
            label="Most clicks"
            name="maxClicks"
            type="number"
            min={1}
            inputMode="numeric"
            placeholder="No limit"
            defaultValue={link?.maxClicks ?? ''}
            error={errors.maxClicks}
          />
          <Field
            label="Note"
            name="note"
            maxLength={longestNote}
            placeholder="What it is for"
            className={styles.note}
            defaultValue={link?.note}
            error={errors.note}
          />
          <Checkbox
            label="Hand on what stands after the question mark"
            name="forwardQuery"
            defaultChecked={link?.forwardQuery}
            className={styles.check}
          />
        </div>
        <FieldSet legend="Campaign" className={styles.campaign}>
          {utmNames.map((name) => (
            <Field
              key={name}
              label={`utm_${name}`}
              name={`utm.${name}`}
              maxLength={longestUtm}
              autoComplete="off"
              defaultValue={link?.utm?.[name]}
              error={errors[`utm.${name}`]}
            />
          ))}
        </FieldSet>
        <p id={hint} className={styles.hint}>
          Times are Helsinki time. Machines do not use up clicks. What the long address says of a
          campaign itself always wins.
        </p>
      </details>
      {problems.message && (
        <Alert tone="bad" role="alert" className={styles.problem}>
          {problems.message}
        </Alert>
      )}
      {link !== null && (
        <div className={styles.ways}>
          <button
            className={`${button.button} ${button.small}`}
            aria-disabled={saving || undefined}
          >
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
      )}
    </form>
  )
}

/** A moment as a date field shows it. */
function local(iso: string | null | undefined): string {
  if (!iso) return ''
  const { date, time } = helsinki(Date.parse(iso))
  return `${date}T${time.slice(0, 5)}`
}
