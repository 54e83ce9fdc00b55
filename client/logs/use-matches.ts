import { useEffect, useMemo, useRef, useState } from 'react'
import type { Line } from './line.ts'
import { createMatcher, type Found, type Matcher } from './matcher.ts'

/**
 * Which lines a regular expression fits.
 * @param source null or empty for none
 * @returns null while there is no expression
 */
export function useMatches(source: string | null, lines: readonly Line[]): Found | null {
  const [found, setFound] = useState<{ source: string } & Found>({ source: '', ...none })
  const matcher = useRef<Matcher | null>(null)
  const wanted = useRef('')
  const problem = useMemo(() => (source ? problemOf(source) : null), [source])

  useEffect(() => {
    if (!source || problem) return
    matcher.current ??= createMatcher((now) => setFound({ source: wanted.current, ...now }))
    wanted.current = source
    matcher.current.want(source, lines)
  }, [source, problem, lines])
  useEffect(
    () => () => {
      matcher.current?.close()
      matcher.current = null
    },
    [],
  )

  if (!source) return null
  if (problem) return { ...none, problem }
  return found.source === source ? found : none
}

const none: Found = { keys: new Set(), problem: null }

function problemOf(source: string): string | null {
  try {
    void new RegExp(source, 'i')
    return null
  } catch (error) {
    const { message } = error as Error
    return message.replace(/^Invalid regular expression: /, 'Not a regular expression: ')
  }
}
