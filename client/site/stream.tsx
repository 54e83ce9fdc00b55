import { Suspense, use, type ReactNode } from 'react'
import type { LatePart, Part, Streamed } from './loading.ts'

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
  value,
  children,
}: Pick<Props<Value>, 'children'> & { value: LatePart<Value> }) {
  const { id } = value
  const arrived = value.later instanceof Promise ? use(value.later) : fromDocument<Value>(id)
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

function fromDocument<Value>(id: string | undefined): Part<Value> {
  const text = id === undefined ? null : document.querySelector(`[data-late="${id}"]`)?.textContent
  // The connection broke before this part arrived.
  return text
    ? (JSON.parse(text) as Part<Value>)
    : { ok: false, message: 'An unknown error occurred' }
}

/** JSON that cannot end the script element it stands in. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}
