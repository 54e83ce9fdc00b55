import { createContext, type LoaderFunctionArgs } from 'react-router'
import type { ApiClient } from '#shared/endpoint.ts'
import { isFailure } from '#shared/failures.ts'

/** What a loader may use; the server and the browser each fill it in for themselves. */
export type Site = {
  readonly api: ApiClient
  /**
   * Milliseconds that a part of a page may hold up its shell; 0 in the browser, where a loader that
   * waits for its parts says how long.
   */
  readonly partTimeout: number
  /** A whole number that picks among equally good variants of a page, such as its hero. */
  readonly variant: number
  /** Told when a part is missing or late, so the page is not kept. */
  degrade(): void
}

/** The router's context key for {@link Site}. */
export const siteContext = createContext<Site>()

/** A part of a page that may have failed without taking the page with it. */
export type Part<Value> = { ok: true; value: Value } | { ok: false; message: string }

/** A part that came in time, or one that is streamed after the shell under its id. */
export type Streamed<Value> = { now: Part<Value> } | PendingPart<Value>

/** The id names what the server streams of it; `hydration.ts` makes a promise of that in the browser. */
export type PendingPart<Value> = { pending: Promise<Part<Value>>; id?: string }

/** The {@link Site} of a loader's arguments. */
export const siteOf = ({ context }: Pick<LoaderFunctionArgs, 'context'>): Site =>
  context.get(siteContext)

/**
 * Turns a read into a part that the page can stream: its value when it comes within the site's
 * `partTimeout`, else the promise of it. A failed read becomes a failed part, never a thrown error.
 */
export async function part<Value>(site: Site, read: Promise<Value>): Promise<Streamed<Value>> {
  const settled = read.then(
    (value): Part<Value> => ({ ok: true, value }),
    (error: unknown): Part<Value> => {
      site.degrade()
      return {
        ok: false,
        message: isReadable(error) ? error.message : 'An unknown error occurred',
      }
    },
  )
  const late = Symbol('late')
  let timer: ReturnType<typeof setTimeout> | undefined
  const first = await Promise.race([
    settled,
    new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => {
        // What came while the event loop was busy is taken in between.
        timer = setTimeout(resolve, 0, late)
      }, site.partTimeout)
    }),
  ])
  clearTimeout(timer)
  if (first !== late) return { now: first }
  site.degrade()
  return { pending: settled }
}

/** Whether visitors may read what an error says: on the server only a failure is written for them. */
const isReadable = (error: unknown): error is Error =>
  import.meta.env.SSR ? isFailure(error) : error instanceof Error

/**
 * The value of a read that the head of the page needs: `instead` when it fails or is late.
 */
export async function readInTime<Value, Instead>(
  site: Site,
  read: Promise<Value>,
  instead: Instead,
): Promise<Value | Instead> {
  const streamed = await part(site, read)
  return 'now' in streamed && streamed.now.ok ? streamed.now.value : instead
}
