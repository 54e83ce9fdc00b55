import type { Commit } from '../db/group-commit.ts'
import type { MailStore } from '../mail/store.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { readLogLine } from '#shared/log-line.ts'
import type { RecentLog } from '../logging/recent-log.ts'

/** Errors within an hour from which staff get an email. */
const alertAfterErrors = 20
/** Distinct messages listed in the email. */
const maxErrorsListed = 10

/** The data of the email. */
export type Alert = { errors: number; messages: { text: string; count: number }[] }

type Seen = { at: number; text: string }

/**
 * Creates the check that emails staff about many errors, or about one line with `alert: true`; at
 * most once an hour. The text of the email was redacted along with the log.
 */
export function createAlerts({
  recentLog,
  mails,
  commit,
  clock,
}: {
  recentLog: Pick<RecentLog, 'end' | 'since'>
  mails: Pick<MailStore, 'enqueue'>
  commit: Commit
  clock: () => number
}): () => Promise<void> {
  let place = recentLog.end()
  let seen: Seen[] = []
  let isUrgent = false
  let sentAt = -Infinity

  return async () => {
    if (recentLog.end() === place) return
    const { lines, next } = recentLog.since(place)
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
    // What was seen or sent while the clock was ahead counts as of now, once it has been put right.
    sentAt = Math.min(sentAt, now)
    seen = seen
      .map(({ at, text }) => ({ at: Math.min(at, now), text }))
      .filter(({ at }) => at > now - hourMs)
      .slice(-1000)
    if (now - sentAt < hourMs || (seen.length < alertAfterErrors && !isUrgent)) return
    const data = alertOf(seen)
    await commit((tx) =>
      mails.enqueue(tx, 'logAlert', { key: `log-${Math.floor(now / hourMs)}`, data }),
    )
    sentAt = now
    seen = []
    isUrgent = false
  }
}

function alertOf(seen: readonly Seen[]): Alert {
  const counts = new Map<string, number>()
  for (const { text } of seen) counts.set(text, (counts.get(text) ?? 0) + 1)
  const messages = Array.from(counts, ([text, count]) => ({ text, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxErrorsListed)
  return { errors: seen.length, messages }
}
