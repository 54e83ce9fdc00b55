import { STATUS_CODES } from 'node:http'
import { failure, type Failure } from '#shared/failures.ts'

/** What asking again cannot change: the collection is missing, or not for us. */
const refusedBy: readonly unknown[] = [400, 403, 404]

/** Whether a read failed because the content service has no such thing for us. */
const isWithheld = (thrown: unknown): boolean =>
  thrown instanceof Error && 'upstream' in thrown && refusedBy.includes(thrown.upstream)

/** What stands for the rows of a collection that the content service does not have for us: none. */
export function noneIfWithheld(thrown: unknown): [] {
  if (isWithheld(thrown)) return []
  throw thrown
}

/**
 * The failure of a read from the content service, worded as
 * docs/contract.md, Content service, says.
 * @param status what the content service answered, or the gateway status that fits (502, 504)
 * @param more the reply's own status text, and the cause for the log
 */
export function unavailable(
  status: number,
  { statusText, cause }: { statusText?: string; cause?: unknown } = {},
): Failure & { readonly upstream: number } {
  const text = statusText || STATUS_CODES[status] || 'Unknown'
  const thrown = failure('unavailable', { message: `API error: ${status} ${text}`, cause })
  return Object.assign(thrown, { upstream: status })
}
