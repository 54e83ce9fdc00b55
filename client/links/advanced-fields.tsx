import { useId, type Ref } from 'react'
import { maxNoteLength, maxLinkPasswordLength, maxUtmLength, utmNames } from '#shared/link-rules.ts'
import type { ShownLink } from '#shared/links.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import { Checkbox } from '../forms/checkbox.tsx'
import { Field } from '../forms/field.tsx'
import { FieldSet } from '../forms/field-set.tsx'
import styles from './link-form.module.css'
import type { Problems } from './save.ts'

type Props = { ref: Ref<HTMLDetailsElement>; link: ShownLink | null; errors: Problems['errors'] }

/** The fields of a link that are seldom used: when and how often it works, note and campaign. */
export function AdvancedFields({ ref, link, errors }: Props) {
  const hint = useId()
  return (
    <details ref={ref} open={link !== null} className={styles.more}>
      <summary>Dates, click limit, tags, password, campaign</summary>
      <div className={styles.grid}>
        <Field
          label="Active from"
          name="startsAt"
          type="datetime-local"
          aria-describedby={hint}
          defaultValue={local(link?.startsAt)}
          error={errors.startsAt}
        />
        <Field
          label="Active until"
          name="expiresAt"
          type="datetime-local"
          aria-describedby={hint}
          defaultValue={local(link?.expiresAt)}
          error={errors.expiresAt}
        />
        <Field
          label="Click limit"
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
          maxLength={maxNoteLength}
          placeholder="What it is for"
          className={styles.note}
          defaultValue={link?.note}
          error={errors.note}
        />
        <Field
          label="Tags"
          name="tags"
          hint="Separated by commas"
          autoComplete="off"
          autoCapitalize="off"
          placeholder="rally, press"
          defaultValue={link?.tags.join(', ')}
          error={errors.tags}
        />
        <Field
          label={link?.hasPassword ? 'New password' : 'Password'}
          name="password"
          hint={
            link?.hasPassword
              ? 'Leave empty to keep the old one'
              : 'Visitors enter it before they’re redirected'
          }
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={maxLinkPasswordLength}
          error={errors.password}
        />
        {link?.hasPassword && (
          <Checkbox label="Remove password" name="noPassword" className={styles.check} />
        )}
        <Checkbox
          label="Forward query string"
          name="forwardQuery"
          defaultChecked={link?.forwardQuery}
          className={styles.check}
        />
      </div>
      <CampaignFields link={link} errors={errors} />
      <p id={hint} className={styles.hint}>
        Helsinki time. Bots don’t count. UTM tags already in the URL take precedence.
      </p>
    </details>
  )
}

const CampaignFields = ({ link, errors }: Omit<Props, 'ref'>) => (
  <FieldSet legend="Campaign" className={styles.campaign}>
    {utmNames.map((name) => (
      <Field
        key={name}
        label={`utm_${name}`}
        name={`utm.${name}`}
        maxLength={maxUtmLength}
        autoComplete="off"
        defaultValue={link?.utm?.[name]}
        error={errors[`utm.${name}`]}
      />
    ))}
  </FieldSet>
)

/** A moment as a date field shows it. */
function local(iso: string | null | undefined): string {
  if (!iso) return ''
  const { date, time } = helsinki(Date.parse(iso))
  return `${date}T${time.slice(0, 5)}`
}
