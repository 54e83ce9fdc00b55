import { useEffect, useRef, useState } from 'react'
import { search, type SearchResult } from '#shared/search-results.ts'
import { checkTerm } from '#shared/search.ts'
import { shortMonth } from '#shared/dates/short-dates.ts'
import { api } from '../api.ts'
import { logError } from '../site/log.ts'
import { Marked } from './result-list.tsx'
import styles from './suggestions.module.css'

/** Suggestions shown at once. */
const maxShown = 6

/** Milliseconds after the last key before the server is asked. */
const pauseMs = 200

/** What is suggested for a term; null while there is nothing to say. */
type Found = { term: string; results: readonly SearchResult[] } | null

/** Asks for suggestions while someone types; an answer that comes after a later key is dropped. */
export function useSuggestions() {
  const [found, setFound] = useState<Found>(null)
  const wanted = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const ask = async (term: string) => {
    try {
      const { results } = await api(search, { q: term, type: '', page: 1 })
      if (wanted.current === term) setFound({ term, results: results.slice(0, maxShown) })
    } catch (error) {
      logError(error)
      // What was found for an earlier term isn't for this one.
      if (wanted.current === term) setFound(null)
    }
  }
  const typed = (text: string) => {
    const checked = checkTerm(text)
    clearTimeout(timer.current)
    wanted.current = checked.state === 'good' ? checked.term : ''
    if (checked.state !== 'good') setFound(null)
    else timer.current = setTimeout(() => void ask(checked.term), pauseMs)
  }
  return { found, typed }
}

/** Pages, work and products that a term leads to, each with its picture. */
export function Suggestions({ found, onFollow }: { found: Found; onFollow: () => void }) {
  return (
    <>
      <p className={found?.results.length === 0 ? styles.none : 'unseen'} role="status">
        {found && told(found)}
      </p>
      {found && found.results.length > 0 && (
        <ul className={styles.suggestions} aria-label="Suggestions">
          {found.results.map(({ path, label, title, picture, date }) => (
            <li key={path}>
              <a href={path} data-suggestion="" onClick={onFollow}>
                <span className={styles.picture}>
                  {picture ? (
                    <img src={picture} width={192} height={128} alt="" />
                  ) : (
                    date && <DateSheet date={date} />
                  )}
                </span>
                <span>
                  <span className={styles.kind}>{label}</span>
                  <strong>
                    <Marked parts={title} />
                  </strong>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What has no picture is known by its date, as in the calendar. */
const DateSheet = ({ date }: { date: string }) => (
  <time dateTime={date} className={styles.date}>
    <b>{Number(date.slice(8, 10))}</b> {shortMonth(date)} {date.slice(0, 4)}
  </time>
)

/** How many suggestions there are, for those who hear it; that there are none, for everyone. */
const told = ({ term, results: { length } }: NonNullable<Found>) =>
  length === 0
    ? `No results for “${term}”. Check the spelling, or use fewer words.`
    : `${length} ${length === 1 ? 'suggestion' : 'suggestions'}`
