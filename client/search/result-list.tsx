import type { SearchResult, TextPart } from '#shared/search-results.ts'
import { Day } from '../ui/text/day.tsx'
import styles from './result-list.module.css'

/** Results, one below the other. */
export function ResultList({ results }: { results: readonly SearchResult[] }) {
  return (
    <ol className={styles.results}>
      {results.map(({ label, path, title, excerpt, date, picture }) => (
        <li key={path + plain(title)}>
          <p className={`label ${styles.meta}`}>
            <span>{label}</span>
            {date && <Day iso={date} />}
          </p>
          <div>
            {picture && (
              <img src={picture} width={192} height={128} alt="" loading="lazy" decoding="async" />
            )}
            <h2>
              <a href={path}>
                <Marked parts={title} />
              </a>
            </h2>
            <p className={styles.excerpt}>
              <Marked parts={excerpt} />
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** A text with its matches marked. */
export function Marked({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, mark }, index) =>
    // The parts never move among each other.
    mark ? <mark key={`${index}-${text}`}>{text}</mark> : text,
  )
}

const plain = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('')
