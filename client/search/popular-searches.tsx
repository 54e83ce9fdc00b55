import { useId } from 'react'
import { popularSearches, searchHref } from '#shared/search.ts'
import styles from './popular-searches.module.css'

/** The six chips (docs/contract.md, Search). */
export function PopularSearches({ onFollow }: { onFollow?: () => void }) {
  const id = useId()
  return (
    <nav aria-labelledby={id} className={styles.popular}>
      <p id={id} className="label">
        Popular searches
      </p>
      <ul>
        {popularSearches.map((term) => (
          <li key={term}>
            <a href={searchHref(term)} onClick={onFollow}>
              {term}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
