import { Suspense, use, useEffect, useState, type ReactNode } from 'react'
import type { Part, PendingPart, Streamed } from './loading.ts'

type Props<Value> = {
  value: Streamed<Value>
  /** Shown until the part is there. */
  fallback: ReactNode
  /** Shows the part, or says that it failed. */
  children: (part: Part<Value>) => ReactNode
}

/**
 * Shows a part of a page: at once when it is there, else streamed in after the shell. A late part
 * carries its data in an inert script inside its own boundary; that is what the browser hydrates
 * from, so nothing is fetched twice.
 */
export function Stream<Value>({ value, fallback, children }: Props<Value>) {
  if ('now' in value) return children(value.now)
  return (
    <Suspense fallback={fallback}>
      <Late value={value}>{children}</Late>
    </Suspense>
  )
}

function Late<Value>({
  value: { pending, id },
  children,
}: Pick<Props<Value>, 'children'> & { value: PendingPart<Value> }) {
  const arrived = use(pending)
  return (
    <>
      {id !== undefined && (
        <script
          type="application/json"
          data-late={id}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: inertJson(arrived) }}
        />
      )}
      {children(arrived)}
    </>
  )
}

/** JSON that cannot end the script element it is in. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}

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
