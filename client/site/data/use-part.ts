import { useEffect, useState } from 'react'
import type { Part, Streamed } from './loading.ts'

/**
 * Follows a part of a page that may still be on its way.
 * @returns the part, or null until it is there
 */
export function usePart<Value>(streamed: Streamed<Value> | undefined): Part<Value> | null {
  const [arrived, setArrived] = useState<{ of: typeof streamed; part: Part<Value> } | null>(null)
  useEffect(() => {
    if (!streamed || 'now' in streamed) return undefined
    let isWanted = true
    const wait = async () => {
      const part = await streamed.pending
      if (isWanted) setArrived({ of: streamed, part })
    }
    void wait()
    return () => {
      isWanted = false
    }
  }, [streamed])
  if (!streamed) return null
  if ('now' in streamed) return streamed.now
  return arrived?.of === streamed ? arrived.part : null
}
