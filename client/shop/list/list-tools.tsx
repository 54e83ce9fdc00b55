import { useRef } from 'react'
import { Form } from 'react-router'
import { paths } from '#shared/paths.ts'
import { productKinds, productSorts } from '#shared/shop/limits.ts'
import button from '../../ui/button.module.css'
import { Field, SelectField } from '../../forms/field.tsx'
import { useFollowed } from '../../forms/use-followed.ts'
import styles from './list-page.module.css'
import { kindTitles, sortTitles, type View } from '../view.ts'

/** @param props `examples` are words that the search finds */
type Props = { view: View; examples: readonly string[] }

/**
 * Search, kind and order of the list; a plain form that asks for the list's own address. With scripts
 * a choice counts at once, and the search with the enter key.
 */
export function ListTools({ view, examples }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const { category, kind = '', prices, q, sort = 'featured' } = view
  const kept = Object.entries({ category, prices }).filter(([, value]) => value)
  const onInput = useFollowed(form, { q: q ?? '', kind, sort })
  const send = () => form.current?.requestSubmit()
  return (
    <Form
      ref={form}
      action={paths.shop()}
      role="search"
      aria-label="Products"
      className={styles.form}
      onInput={onInput}
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field
        label="Search the shop"
        name="q"
        type="search"
        enterKeyHint="search"
        maxLength={100}
        defaultValue={q}
        placeholder={examples.length > 0 ? `${examples.join(', ')} …` : undefined}
        className={styles.find}
      />
      <SelectField
        label="Kind"
        name="kind"
        defaultValue={kind}
        options={[
          { value: '', label: 'Any' },
          ...productKinds.map((value) => ({ value, label: kindTitles[value] })),
        ]}
        onChange={send}
      />
      <SelectField
        label="Sort by"
        name="sort"
        defaultValue={sort}
        options={productSorts.map((value) => ({
          value,
          label: q && value === 'featured' ? 'Best match' : sortTitles[value],
        }))}
        onChange={send}
      />
      <button className={`${button.button} ${styles.show}`}>Show</button>
    </Form>
  )
}
