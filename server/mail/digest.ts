import { mailDays } from '#shared/legal.ts'
import type { TicketStore } from '../contact/store.ts'
import { daily } from '../daily.ts'
import type { Commit } from '../db/group-commit.ts'
import { inBatches } from '../db/in-batches.ts'
import type { MailCalls } from './calls.ts'
import { forgetMailFiles } from './mail-files.ts'
import type { MailStore } from './store.ts'

/**
 * Makes the daily chore: once a day, tells staff when messages wait in quarantine or mails have
 * failed, and forgets what has served its time. Several processes may run it; the day is the
 * digest's dedupe key.
 */
export function createDigest({
  tickets,
  mails,
  calls,
  commit,
  clock,
  dataDir,
}: {
  tickets: TicketStore
  mails: MailStore
  calls: MailCalls
  commit: Commit
  clock: () => number
  dataDir: string
}): () => Promise<void> {
  return daily(clock, async (date) => {
    const counts = {
      quarantined: tickets.quarantined(),
      failed: mails.counts().failed,
      held: calls.heldCount(),
    }
    if (Object.values(counts).some((count) => count > 0)) {
      await commit((tx) =>
        mails.enqueue(tx, 'staffDigest', { key: `digest-${date}`, data: counts }),
      )
    }
    const before = clock() - mailDays * 86_400_000
    await inBatches(commit, tickets.forgetProofs)
    await inBatches(commit, tickets.forgetOld)
    await inBatches(commit, calls.forgetOld)
    await inBatches(commit, (tx) => mails.forgetSettled(tx, before))
    await forgetMailFiles(dataDir, before)
  })
}
