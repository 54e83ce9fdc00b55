import { paths } from '#shared/paths.ts'
import type { SearchResults } from '#shared/search-results.ts'
import { searchHref } from '#shared/search.ts'
import { ArrowIcon } from '../ui/icons.tsx'
import button from '../ui/button.module.css'
import { PopularSearches } from './popular-searches.tsx'
import styles from './results-page.module.css'

/** What to do when a term finds nothing. */
export function NothingFound({ results: { suggestion } }: { results: SearchResults }) {
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
export function NothingInKind({ results: { term, typeLabel, total } }: { results: SearchResults }) {
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
