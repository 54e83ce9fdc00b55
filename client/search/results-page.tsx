import { useLoaderData } from 'react-router'
import type { SearchResults } from '#shared/search-results.ts'
import { paths } from '#shared/paths.ts'
import { searchHref } from '#shared/search.ts'
import { Head } from '../site/head/head.tsx'
import { LinkTabs } from '../ui/lists/link-tabs.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import { ResultList } from './result-list.tsx'
import { PopularSearches } from './popular-searches.tsx'
import styles from './results-page.module.css'
import { SearchForm } from './search-form.tsx'
import { useSearch } from './use-search.ts'
import { ArrowIcon } from '../ui/icons.tsx'
import button from '../ui/button.module.css'

/** The results of a search; the server renders them, so it works without scripts. */
export function Component() {
  const results = useLoaderData<SearchResults>()
  const { term, message, total, type, page, pages } = results
  const searched = term !== '' && message === null
  return (
    <>
      <Head
        title={term ? `Search: ${term}` : 'Search'}
        description="Search services, portfolio, news and answers."
        hidden
      />
      <div className={`wrap ${styles.page}`}>
        <h1 className="kerb">{searched ? 'Search results' : 'What are you looking for?'}</h1>
        <AddressForm results={results} />
        <p role="status" className={styles.count}>
          {searched && counted(results)}
        </p>
        {searched && <Unsearched results={results} />}
        {!searched && <PopularSearches />}
        {searched && total === 0 && <NothingFound results={results} />}
        {searched && total > 0 && <Tabs results={results} />}
        {results.results.length > 0 ? (
          <ResultList results={results.results} />
        ) : (
          total > 0 && <NothingInKind results={results} />
        )}
        <Pager
          page={page}
          pages={pages}
          href={(to) => searchHref(term, { type, page: to })}
          label="Pages of results"
          inside
        />
        <p className={styles.booking}>
          Know your dates already? <a href={paths.booking()}>Book us online</a>.
        </p>
      </div>
    </>
  )
}

/** The form with the term of the address. */
function AddressForm({ results: { term, message } }: { results: SearchResults }) {
  return <SearchForm search={useSearch({ term, wrong: message })} term={term} />
}

/** Names the kinds that were left out because the content service isn’t responding. */
function Unsearched({ results: { unsearched } }: { results: SearchResults }) {
  if (unsearched.length === 0) return null
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })
  return (
    <p role="note">{`We couldn’t search ${list.format(unsearched)} just now. Try again in a minute.`}</p>
  )
}

function counted({ term, total, type, typeLabel, kinds, page, pages }: SearchResults): string {
  const count = type ? (kinds.find(({ kind }) => kind === type)?.count ?? 0) : total
  const within = type ? ` in ${typeLabel}` : ''
  const where = pages > 1 ? `, page ${page} of ${pages}` : ''
  if (count === 0) return `No results for “${term}”${within}`
  return `${count} ${count === 1 ? 'result' : 'results'} for “${term}”${within}${where}`
}

function Tabs({ results: { term, kinds, total, type } }: { results: SearchResults }) {
  const tabs = [
    { kind: null, title: 'All', count: total },
    ...kinds.map(({ kind, label, count }) => ({ kind, title: label, count })),
  ].map(({ kind, title, count }) => ({
    title,
    count,
    href: searchHref(term, { type: kind }),
    current: kind === type,
  }))
  return <LinkTabs label="Kinds of results" tabs={tabs} />
}

/** What to do when a term finds nothing. */
function NothingFound({ results: { suggestion } }: { results: SearchResults }) {
  return (
    <div className={styles.nothing}>
      {suggestion && (
        <p className={styles.suggestion}>
          Did you mean <a href={searchHref(suggestion)}>{suggestion}</a>?
        </p>
      )}
      <div className={styles.ways}>
        <div>
          <h2>No results</h2>
          <ul className={styles.hints}>
            <li>Check the spelling, or use fewer words.</li>
            <li>Partial words work: “photo” finds photography.</li>
            <li>Accents are optional: “jyvaskyla” finds Jyväskylä.</li>
          </ul>
          <a href={paths.contact()} data-contact="" className={button.arrow}>
            <span>Ask us directly</span> <ArrowIcon />
          </a>
        </div>
        <PopularSearches />
      </div>
    </div>
  )
}

/** A kind that is asked for alone and has nothing, while others have. */
function NothingInKind({ results: { term, typeLabel, total } }: { results: SearchResults }) {
  return (
    <p className={styles.elsewhere}>
      Nothing in {typeLabel}, but{' '}
      <a href={searchHref(term)}>
        {total} {total === 1 ? 'result' : 'results'} elsewhere
      </a>
      .
    </p>
  )
}
