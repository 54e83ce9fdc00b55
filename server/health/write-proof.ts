import { isBusy, isMoved } from '../db/group-commit.ts'
import { withFallback } from '../concurrency/timeout.ts'

/** Milliseconds that a check waits while another process holds the database. */
const checkTimeout = 3_000

/** Proofs of a second that write a page each; no monitor asks more often. */
const maxProofs = 50
const windowMs = 1_000

/** What is known of the database: whether it takes what is written. */
export type WriteState = 'ok' | 'busy' | 'moved' | 'failed'

/**
 * Makes the check whether the database can be written. Those who ask while a proof waits for its turn
 * share it, since it is made after they asked; beyond {@link maxProofs} in a second, a proof that
 * succeeded in the same second stands. So a flood neither fills the log of changes nor lets writes pile
 * up behind another process. A failure never stands for a later check.
 * @param prove as `proveWritable` of the database
 */
export function createWriteProof(prove: () => Promise<void>): () => Promise<WriteState> {
  let waiting: Promise<WriteState> | null = null
  let windowStart = -Infinity
  let made = 0
  let stands = false

  const make = (): Promise<WriteState> => {
    made += 1
    return prove().then(
      (): WriteState => 'ok',
      (error: unknown) => (isMoved(error) ? 'moved' : isBusy(error) ? 'busy' : 'failed'),
    )
  }

  return () => {
    const now = performance.now()
    if (now - windowStart >= windowMs) {
      windowStart = now
      made = 0
      stands = false
    }
    if (!waiting && made >= maxProofs && stands) return Promise.resolve('ok')
    waiting ??= make().then((state) => {
      waiting = null
      stands = state === 'ok'
      return state
    })
    return withFallback(waiting, checkTimeout, 'busy')
  }
}
