import { STATUS_CODES } from 'node:http'
import { failure, type Failure } from '#shared/failures.ts'

/** Statuses that retrying can't change: the collection is missing or not ours to read. */
const refusedBy: readonly unknown[] = [400, 403, 404]

/** Whether a read failed because the content service doesn't give us the collection. */
export const isWithheld = (thrown: unknown): boolean =>
  thrown instanceof Error && 'upstream' in thrown && refusedBy.includes(thrown.upstream)

/** Turns that failure into no rows; rethrows all others. */
export function noneIfWithheld(thrown: unknown): [] {
  if (isWithheld(thrown)) return []
  throw thrown
}

/**
 * The failure of a read from the content service (docs/contract.md, Content service).
 * @param status of the content service's reply, or a gateway status (502, 504)
 */
export function unavailable(
  status: number,
  { statusText, cause }: { statusText?: string; cause?: unknown } = {},
): Failure & { readonly upstream: number } {
  const text = statusText || STATUS_CODES[status] || 'Unknown'
  const thrown = failure('unavailable', { message: `API error: ${status} ${text}`, cause })
  return Object.assign(thrown, { upstream: status })
}
