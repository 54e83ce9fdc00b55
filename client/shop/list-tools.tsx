import { useRef } from 'react'
import { Form } from 'react-router'
import type { ProductSort } from '#shared/shop-limits.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Field, SelectField } from '../ui/field.tsx'
import styles from './list-page.module.css'
import type { View } from './view.ts'

type Props = { view: View; sorts: readonly (readonly [ProductSort, string])[] }

/** Search and order of the list; a plain form that asks for the list's own address. */
export function ListTools({ view, sorts }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const { category, kind, prices } = view
  const kept = Object.entries({ category, kind, prices }).filter(([, value]) => value)
  return (
    <Form
      // Another view starts with its own entries.
      key={`${view.q}/${view.sort}`}
      ref={form}
      action={paths.shop()}
      role="search"
      aria-label="Products"
      className={styles.form}
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field
        label="Find in the shop"
        name="q"
        type="search"
        maxLength={100}
        defaultValue={view.q}
        placeholder="Le Mans, poster, licence …"
        className={styles.find}
      />
      <SelectField
        label="Sort by"
        name="sort"
        defaultValue={view.sort ?? 'featured'}
        options={sorts.map(([value, label]) => ({ value, label }))}
        onChange={() => form.current?.requestSubmit()}
      />
      <button className={button.button}>Show</button>
    </Form>
  )
}
