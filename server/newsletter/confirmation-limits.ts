import { dayMs, hourMs } from '#shared/durations.ts'
import type { Database } from '../db/open.ts'

/** How many confirmation mails may go out, so that the form cannot be used to flood mailboxes. */
const limits = {
  /** One to an address in this time. */
  address: dayMs,
  /** From one network per hour. */
  network: 5,
  /** From all of them per hour; what comes on top waits its turn. */
  everybody: 200,
  /** A mail that would have to wait longer than this is dropped. */
  longestDelay: dayMs,
} as const

/**
 * Prepares the decision on a confirmation mail.
 * @returns a function: when the mail may go out (milliseconds of the epoch), or null for not at all
 */
export function nextConfirmation(db: Database) {
  const toAddress = db
    .prepare(`SELECT 1 FROM subscriber_confirmations
      WHERE subscriber = :subscriber AND at > :after LIMIT 1`)
    .pluck()
  const fromNetwork = db
    .prepare(`SELECT count(*) FROM subscriber_confirmations
      WHERE network = :network AND at > :after`)
    .pluck()
  const earlier = db
    .prepare(`SELECT due_at FROM subscriber_confirmations
      ORDER BY due_at DESC LIMIT 1 OFFSET ${limits.everybody - 1}`)
    .pluck()

  return ({
    subscriber,
    network,
    now,
  }: {
    subscriber: number | null
    network: string
    now: number
  }): number | null => {
    if (toAddress.get({ subscriber, after: now - limits.address }) !== undefined) return null
    const sent = fromNetwork.get({ network, after: now - hourMs }) as number
    if (sent >= limits.network) return null
    // A whole hour's worth lies between any mail and the one that many before it.
    const before = earlier.get() as number | undefined
    const dueAt = Math.max(now, (before ?? -Infinity) + hourMs)
    return dueAt - now > limits.longestDelay ? null : dueAt
  }
}
