import { useEffect, useRef, useState } from 'react'
import type { Line } from './line.ts'

/** How long an expression may take, in milliseconds, and how much of a line it gets to see. */
const maxMs = 800
const maxCharacters = 4000

/** What an expression found; `problem` says why it can't be used. */
type Found = { source: string; keys: ReadonlySet<string>; problem: string | null }

/**
 * Finds the lines that a regular expression matches, in a worker that is stopped when it takes too
 * long.
 * @param source empty for no expression
 */
export function useMatches(source: string, lines: readonly Line[]): Found {
  const [found, setFound] = useState<Found>(nothing(''))
  const latest = useRef(lines)
  const rerun = useRef<(() => void) | null>(null)
  const problem = source === '' ? null : problemOf(source)
  useEffect(() => {
    latest.current = lines
    rerun.current?.()
  }, [lines])
  useEffect(() => {
    if (source === '' || problem !== null) return undefined
    const worker = new Worker(new URL('./match-worker.ts', import.meta.url), { type: 'module' })
    let asked: readonly Line[] | null = null
    let timer: ReturnType<typeof setTimeout> | null = null
    const run = () => {
      if (timer !== null || asked === latest.current) return
      const given = latest.current
      asked = given
      timer = setTimeout(() => {
        worker.terminate()
        setFound(nothing(source, tooSlow))
      }, maxMs)
      const texts = given.map(({ raw }) => raw.slice(0, maxCharacters))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ source, texts })
    }
    worker.addEventListener('message', ({ data }: MessageEvent<boolean[]>) => {
      clearTimeout(timer!)
      timer = null
      const keys = new Set((asked ?? []).filter((_, index) => data[index]).map(({ key }) => key))
      setFound({ source, keys, problem: null })
      run()
    })
    rerun.current = run
    run()
    return () => {
      rerun.current = null
      clearTimeout(timer!)
      worker.terminate()
    }
  }, [source, problem])
  if (problem !== null) return nothing(source, problem)
  return found.source === source ? found : nothing(source)
}

const tooSlow = 'This expression is too slow. Try a simpler one, without nested repetition.'

const nothing = (source: string, problem: string | null = null): Found => ({
  source,
  keys: new Set(),
  problem,
})

function problemOf(source: string): string | null {
  try {
    void new RegExp(source, 'i')
    return null
  } catch (error) {
    const { message } = error as Error
    return message.replace(/^Invalid regular expression: /, 'Not a regular expression: ')
  }
}
