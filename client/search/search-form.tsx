import { useId } from 'react'
import { paths } from '#shared/paths.ts'
import { maxTermLength } from '#shared/search.ts'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './form.module.css'
import type { Search } from './use-search.ts'

const hint = 'Try a place, series or service.'

/** The field of a search, its button, and what is wrong with the term; asks the results page without scripts. */
export function SearchForm({ search, term = '' }: { search: Search; term?: string }) {
  const { field, message, searching, submit, type } = search
  const id = useId()
  return (
    <>
      <form
        role="search"
        action={paths.search()}
        className={styles.form}
        noValidate
        onSubmit={submit}
      >
        <input
          ref={field}
          name="q"
          className={styles.field}
          defaultValue={term}
          aria-label="Search term"
          aria-invalid={message !== null}
          aria-describedby={`${id} ${id}-hint`}
          placeholder="Rally, film"
          maxLength={maxTermLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          readOnly={searching}
          onInput={type}
        />
        <button type="submit" className={styles.go} aria-disabled={searching}>
          {searching ? (
            <>
              <span className={styles.spinner} /> <span className="unseen">Searching</span>
            </>
          ) : (
            <>
              Search <ArrowIcon />
            </>
          )}
        </button>
      </form>
      <div className={styles.below}>
        <p id={id} role="alert" className={styles.message}>
          {message}
        </p>
        <p id={`${id}-hint`} aria-live="polite" className={styles.hint}>
          {message ? '' : hint}
        </p>
      </div>
    </>
  )
}
