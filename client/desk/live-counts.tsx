import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { DeskGroup } from '#shared/desk/lines.ts'
import { getDeskCounts, warningsTitle } from '#shared/desk/desk.ts'
import button from '../ui/button.module.css'
import styles from './desk.module.css'

/** Milliseconds between two looks, and the most of them while the server can't be reached. */
const lookEvery = 30_000
const maxWriteWaitMs = 600_000

/** Milliseconds without a touch or a key after which a page stops asking. */
const forgottenAfter = 8 * 3_600_000

type Counts = Readonly<Record<string, number>>

/** Counts by the titles of groups; what the doctor warns of isn't counted again. */
const countsOf = (groups: readonly Pick<DeskGroup, 'title' | 'total'>[]): Counts =>
  Object.fromEntries(
    groups.filter(({ title }) => title !== warningsTitle).map(({ title, total }) => [title, total]),
  )

/**
 * How many things wait in each group, kept up to date while the page is visible. It polls one endpoint
 * every half minute, backs off while that fails, and stops after a working day without a touch or a key.
 * Once the session has ended, the page asks for a code.
 * @param groups as the page shows them; null where it shows none
 * @returns the counts by the titles of those groups; null until they are known
 */
export function useLiveCounts(groups: readonly DeskGroup[] | null): Counts | null {
  const [counts, setCounts] = useState<Counts | null>(null)
  const { revalidate } = useRevalidator()
  const isOn = groups !== null
  const emptied = useRef<Counts>({})
  useEffect(() => {
    emptied.current = Object.fromEntries(Object.keys(countsOf(groups ?? [])).map((key) => [key, 0]))
  }, [groups])
  const [before, setBefore] = useState(groups)
  if (groups !== before) {
    setBefore(groups)
    setCounts(null)
  }
  useEffect(() => {
    if (!isOn) return undefined
    const over = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = lookEvery
    let touchedAt = Date.now()
    const look = async () => {
      const { api, ApiError } = await import('../api.ts')
      try {
        const found = await api(getDeskCounts, {})
        if (over.signal.aborted) return
        setCounts({ ...emptied.current, ...countsOf(found.groups) })
        wait = lookEvery
      } catch (error) {
        if (over.signal.aborted) return
        const status = error instanceof ApiError ? error.status : 503
        // The code was revoked or the session ended: the page says so, and nothing asks any more.
        if (status === 401 || status === 403) {
          void revalidate()
          return
        }
        wait = Math.min(wait * 2, maxWriteWaitMs)
      }
      next()
    }
    const next = () => {
      clearTimeout(timer)
      if (over.signal.aborted || document.visibilityState !== 'visible') return
      if (Date.now() - touchedAt < forgottenAfter) timer = setTimeout(() => void look(), wait)
    }
    const touched = () => void (touchedAt = Date.now())
    const { signal } = over
    document.addEventListener('visibilitychange', next, { signal })
    for (const kind of ['pointerdown', 'keydown']) {
      document.addEventListener(kind, touched, { signal, passive: true })
    }
    next()
    return () => {
      over.abort()
      clearTimeout(timer)
    }
  }, [isOn, revalidate])
  return counts
}

/** Says politely that something else waits by now, with the button that shows it. */
export function NewlyWaiting({
  groups,
  counts,
}: {
  groups: readonly DeskGroup[]
  counts: Counts | null
}) {
  const { revalidate } = useRevalidator()
  const shown = countsOf(groups)
  const now = counts ?? shown
  const titles = new Set([...Object.keys(shown), ...Object.keys(now)])
  const isOther = [...titles].some((title) => (shown[title] ?? 0) !== (now[title] ?? 0))
  const more = [...titles].reduce(
    (sum, title) => sum + Math.max(0, (now[title] ?? 0) - (shown[title] ?? 0)),
    0,
  )
  return (
    <div role="status" className={styles.news}>
      {isOther && (
        <>
          <span>
            {more === 0
              ? 'This list has changed.'
              : more === 1
                ? 'One more thing is waiting.'
                : `${more} more things are waiting.`}
          </span>
          <button
            type="button"
            className={`${button.button} ${button.small}`}
            onClick={() => void revalidate()}
          >
            Update the list
          </button>
        </>
      )}
    </div>
  )
}
