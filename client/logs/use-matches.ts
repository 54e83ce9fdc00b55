import { useEffect, useRef, useState } from 'react'
import type { Line } from './line.ts'

/** How long an expression may take over new lines, in milliseconds. */
const budget = 800
/** Characters of a line that an expression sees. */
const longest = 4000

/** What an expression found; `problem` says why it found nothing. */
export type Matches = { keys: ReadonlySet<string> | null; problem: string | null }

type Known = { source: string; seen: Set<string>; found: Set<string> }

const nothing: Matches = { keys: null, problem: null }

/**
 * Which lines a regular expression fits. It runs in a worker, which is ended when it takes too long,
 * so that no expression can stop the page.
 * @param source null for no expression
 */
export function useMatches(source: string | null, lines: readonly Line[]): Matches {
  const [matches, setMatches] = useState(nothing)
  const known = useRef<Known | null>(null)

  useEffect(() => {
    if (source === null || source === '') {
      known.current = null
      setMatches(nothing)
      return undefined
    }
    const problem = problemOf(source)
    if (problem) {
      known.current = null
      setMatches({ keys: new Set(), problem })
      return undefined
    }
    if (known.current?.source !== source) {
      known.current = { source, seen: new Set(), found: new Set() }
    }
    const { seen, found } = known.current
    const fresh = lines.filter(({ key }) => !seen.has(key))
    if (fresh.length === 0) {
      setMatches({ keys: new Set(found), problem: null })
      return undefined
    }
    const worker = new Worker(new URL('./match-worker.ts', import.meta.url), { type: 'module' })
    const stop = (message: string) => {
      worker.terminate()
      setMatches({ keys: new Set(), problem: message })
    }
    const timer = setTimeout(
      () => stop('This expression takes too long. Try a simpler one, without nested repetition.'),
      budget,
    )
    worker.addEventListener('error', () => {
      clearTimeout(timer)
      stop('This expression could not be run.')
    })
    worker.addEventListener('message', ({ data }: MessageEvent<string[]>) => {
      clearTimeout(timer)
      worker.terminate()
      for (const { key } of fresh) seen.add(key)
      for (const key of data) found.add(key)
      setMatches({ keys: new Set(found), problem: null })
    })
    worker.postMessage({ source, lines: fresh.map(({ key, raw }) => [key, raw.slice(0, longest)]) })
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [source, lines])

  return matches
}

function problemOf(source: string): string | null {
  try {
    return new RegExp(source, 'i') && null
  } catch (error) {
    return (error as Error).message.replace(
      /^Invalid regular expression: /,
      'Not a regular expression: ',
    )
  }
}
