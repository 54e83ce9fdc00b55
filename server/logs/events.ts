import type { LogRing } from '../log/ring.ts'

/** Server-sent events of the log's viewer (WHATWG HTML, 9.2); an id names process and place. */

/** Keeps a connection alive on which nothing is new. */
export const heartbeat = ': \n\n'

/** Says whether what follows goes on from the last event that the viewer had. */
export const beginEvent = (resumes: boolean): string =>
  `retry: 2000\nevent: begin\ndata: ${JSON.stringify({ resumes })}\n\n`

/** Says why nothing more follows. */
export const endEvent = (reason: string): string =>
  `event: end\ndata: ${JSON.stringify({ reason })}\n\n`

/** The lines after a place as events, each with the place after it as its id. */
export function eventsSince(ring: LogRing, place: number): string {
  const { lines, from, missed } = ring.since(place)
  const gap = missed > 0 ? `event: missed\ndata: ${missed}\n\n` : ''
  return (
    gap +
    lines.map((line, index) => `id: ${ring.boot}-${from + index + 1}\ndata: ${line}\n\n`).join('')
  )
}

/** The place in the id of the last event that a viewer had; null when it is of another process. */
export function placeOf(ring: LogRing, lastId: string | undefined): number | null {
  const [boot, place] = lastId?.split('-') ?? []
  return boot === ring.boot && /^\d{1,15}$/.test(place ?? '') ? Number(place) : null
}
