import type { Commit } from '../db/group-commit.ts'
import type { MailStore } from '../mail/store.ts'
import { hourMs } from '#shared/durations.ts'
import { readLogLine } from '#shared/log-line.ts'
import type { LogRing } from '../log/ring.ts'

/** Errors within an hour at which staff get a mail, and how long the next one waits; milliseconds. */
const alertAfterErrors = 20
/** Different messages that a mail lists. */
const mostErrorsListed = 10

/** What a mail about the log is written from. */
export type Alert = { errors: number; messages: { text: string; count: number }[] }

type Seen = { at: number; text: string }

/**
 * Makes what looks after the log: when there are many errors, or one line that asks for it with
 * `alert: true`, staff get a mail, at most one an hour. What is in the mail has been redacted with the
 * log. The returned function belongs into a transaction.
 */
export function createAlerts({
  ring,
  mails,
  commit,
  clock,
}: {
  ring: Pick<LogRing, 'end' | 'since'>
  mails: Pick<MailStore, 'enqueue'>
  commit: Commit
  clock: () => number
}): () => Promise<void> {
  let place = ring.end()
  let seen: Seen[] = []
  let isUrgent = false
  let told = -Infinity

  return async () => {
    if (ring.end() === place) return
    const { lines, next } = ring.since(place)
    place = next
    const now = clock()
    for (const line of lines) {
      if (!/^\{"level":"(?:error|fatal)"/.test(line)) continue
      const { msg, alert } = readLogLine(line)
      isUrgent ||= alert === true
      seen.push({
        at: now,
        text: (typeof msg === 'string' && msg ? msg : 'an error without a message').slice(0, 200),
      })
    }
    seen = seen.filter(({ at }) => at > now - hourMs).slice(-1000)
    if (now - told < hourMs || (seen.length < alertAfterErrors && !isUrgent)) return
    const data = alertOf(seen)
    await commit((tx) =>
      mails.enqueue(tx, 'logAlert', { key: `log-${Math.floor(now / hourMs)}`, data }),
    )
    told = now
    seen = []
    isUrgent = false
  }
}

function alertOf(seen: readonly Seen[]): Alert {
  const counts = new Map<string, number>()
  for (const { text } of seen) counts.set(text, (counts.get(text) ?? 0) + 1)
  const messages = Array.from(counts, ([text, count]) => ({ text, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostErrorsListed)
  return { errors: seen.length, messages }
}
