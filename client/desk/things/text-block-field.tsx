import type { MouseEvent } from 'react'
import type { TextBlockView } from '#shared/contact/tickets.ts'
import { SelectField, type fieldsOf } from '../../forms/field.tsx'
import button from '../../ui/button.module.css'
import { withText } from './text-blocks.ts'
import styles from './ticket.module.css'

type Props = {
  blocks: readonly TextBlockView[]
  /** What the choice has in common with the other fields of its form. */
  common: ReturnType<ReturnType<typeof fieldsOf>>
}

/**
 * Puts a text block into the field `text` of the form around it: at once with scripts; without, the form
 * comes back with it. Nothing where there are no blocks.
 */
export function TextBlockField({ blocks, common }: Props) {
  if (blocks.length === 0) return null
  const insert = (event: MouseEvent<HTMLButtonElement>) => {
    const controls = event.currentTarget.form?.elements
    const choice = controls?.namedItem(common.name)
    const field = controls?.namedItem('text')
    if (!(choice instanceof HTMLSelectElement && field instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    const chosen = blocks.find(({ id }) => id === choice.value)
    if (!chosen) return choice.focus()
    field.value = withText(field.value, chosen.text)
    choice.value = ''
    // As if it had been typed, so that the page keeps it.
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  return (
    <div className={styles.insert}>
      {/* What Enter in a field of the form sends: the form, not this. */}
      <button hidden>Send</button>
      <SelectField
        label="Insert a text block"
        {...common}
        options={[
          { value: '', label: 'Choose one' },
          ...blocks.map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
      <button
        name="insert"
        value="on"
        formNoValidate
        className={`${button.button} ${button.quiet}`}
        onClick={insert}
      >
        Insert
      </button>
    </div>
  )
}
