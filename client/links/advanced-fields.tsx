import { useId, type Ref } from 'react'
import { longestNote, longestUtm, utmNames } from '#shared/link-rules.ts'
import type { ShownLink } from '#shared/links.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { FieldSet } from '../ui/field-set.tsx'
import styles from './link-form.module.css'
import type { Problems } from './save.ts'

type Props = { ref: Ref<HTMLDetailsElement>; link: ShownLink | null; errors: Problems['errors'] }

/** The fields of a link that are seldom used: when and how often it works, note and campaign. */
export function AdvancedFields({ ref, link, errors }: Props) {
  const hint = useId()
  return (
    <details ref={ref} open={link !== null} className={styles.more}>
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
      <CampaignFields link={link} errors={errors} />
      <p id={hint} className={styles.hint}>
        Times are Helsinki time. Machines do not use up clicks. What the long address says of a
        campaign itself always wins.
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
        maxLength={longestUtm}
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
