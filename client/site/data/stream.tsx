import { Suspense, use, type ReactNode } from 'react'
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

/** JSON that cannot end the script element it stands in. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}
