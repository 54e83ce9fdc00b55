import { useEffect, useRef } from 'react'
import { useLoaderData, useNavigate, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import type { SearchResults } from '#shared/search-results.ts'
import { longestTerm, searchHref, searchKinds } from '#shared/search.ts'
import { Head } from '../site/head.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Finds } from './finds.tsx'
import form from './form.module.css'
import { NothingFound, NothingInKind } from './nothing-found.tsx'
import { PopularSearches } from './popular-searches.tsx'
import styles from './results-page.module.css'

/** The results of a search; the server renders them, so that it works without scripts. */
export function Component() {
  const results = useLoaderData<SearchResults>()
  const { term, message, total, finds } = results
  const searched = term !== '' && message === null
  return (
    <>
      <Head
        title={term ? `Search: ${term}` : 'Search'}
        description="Search services, portfolio, news and answers."
        hidden
      />
      <div className={`wrap ${styles.page}`}>
        <h1>{searched ? 'Search results' : 'What are you looking for?'}</h1>
        <SearchForm term={term} message={message} />
        <p role="status" className={styles.count}>
          {searched && counted(results)}
        </p>
        {!searched && <PopularSearches />}
        {searched && total === 0 && <NothingFound results={results} />}
        {searched && total > 0 && <Tabs results={results} />}
        {finds.length > 0 ? (
          <Finds finds={finds} />
        ) : (
          total > 0 && <NothingInKind results={results} />
        )}
        <Paging results={results} />
      </div>
    </>
  )
}

function SearchForm({ term, message }: { term: string; message: string | null }) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const busy = useNavigation().state !== 'idle'
  // The field follows the address, also by the browser's back and forward.
  useEffect(() => {
    if (field.current) field.current.value = term
  }, [term])
  return (
    <>
      <form
        role="search"
        action={paths.search()}
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault()
          const typed = field.current?.value.trim()
          if (typed) void navigate(searchHref(typed))
        }}
      >
        <input
          ref={field}
          name="q"
          className={form.field}
          defaultValue={term}
          aria-label="Search term"
          aria-invalid={message !== null}
          aria-describedby="search-message"
          placeholder="Rally, film"
          maxLength={longestTerm}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
        />
        <button type="submit" className={form.go} aria-disabled={busy}>
          Search <ArrowIcon />
        </button>
      </form>
      <p id="search-message" role="alert" className={form.message}>
        {message}
      </p>
    </>
  )
}

function counted({ term, total, type, kinds, page, pages }: SearchResults): string {
  const count = type ? (kinds.find(({ kind }) => kind === type)?.count ?? 0) : total
  const within = type ? ` in ${searchKinds[type]}` : ''
  const where = pages > 1 ? `, page ${page} of ${pages}` : ''
  if (count === 0) return `No results for “${term}”${within}`
  return `${count} ${count === 1 ? 'result' : 'results'} for “${term}”${within}${where}`
}

function Tabs({ results: { term, kinds, total, type } }: { results: SearchResults }) {
  const tabs = [
    { kind: null, title: 'All', count: total },
    ...kinds.map(({ kind, count }) => ({ kind, title: searchKinds[kind], count })),
  ]
  return (
    <nav aria-label="Kinds of results" className={styles.tabs}>
      <ul>
        {tabs.map(({ kind, title, count }) => (
          <li key={title}>
            <a
              href={searchHref(term, { type: kind })}
              aria-current={kind === type ? 'page' : undefined}
            >
              {title} <span>{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Paging({ results: { term, type, page, pages } }: { results: SearchResults }) {
  if (pages < 2) return null
  return (
    <nav aria-label="Pages of results" className={styles.paging}>
      {page > 1 && (
        <a href={searchHref(term, { type, page: page - 1 })} rel="prev">
          <ArrowIcon /> Previous
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a href={searchHref(term, { type, page: page + 1 })} rel="next">
          Next <ArrowIcon />
        </a>
      )}
    </nav>
  )
}
