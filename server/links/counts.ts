import { dayMs } from '#shared/durations.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import type { Click } from './click.ts'
import { readCounts } from './counts-reader.ts'
import { writeCounts } from './counts-writer.ts'
import { createClickBuffer, type WaitingClicks } from './click-buffer.ts'

/** How many rows are written in one transaction, so that none of them takes long. */
const countsPerCommit = 500
/** How long sites that led to a link are known by name, in milliseconds. */
const namesMs = 730 * dayMs

/**
 * Counts clicks in memory and writes them down about once a second: a crash loses a second of
 * plain statistics, never a click of a link with a maximum, which `spend` writes itself.
 * @param onError told when the database did not take the counts; they are tried again
 */
export function createLinkCounts(
  db: Database,
  {
    clock,
    onError,
    delay = 1000,
  }: { clock: () => number; onError: (error: unknown) => void; delay?: number },
) {
  const forgetReferrers = db.prepareWrite(`DELETE FROM link_referrers WHERE (link, day, host) IN
    (SELECT link, day, host FROM link_referrers WHERE day < :day LIMIT ${batchSize})`)

  const since = readCounts(db)
  const write = writeCounts(db)
  const buffer = createClickBuffer({ clock })
  let timer: ReturnType<typeof setTimeout> | null = null
  let flushing: Promise<void> | null = null

  const writeAll = async () => {
    while (!buffer.isEmpty()) {
      let taken: WaitingClicks[] = []
      try {
        const work = (tx: Transaction) => {
          taken = buffer.take(countsPerCommit)
          for (const counted of taken) write(tx, counted)
        }
        // Statistics may be lost with the power, so they are not flushed at once.
        await db.commit(work, { durable: false })
      } catch (error) {
        buffer.putBack(taken)
        onError(error)
        return
      }
    }
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    return (flushing ??= writeAll().finally(() => {
      flushing = null
      if (!buffer.isEmpty()) later()
    }))
  }
  const later = () => {
    timer ??= setTimeout(() => void flush(), delay).unref()
  }

  return {
    /**
     * Remembers a click.
     * @param spent that `spend` has added it to the link's total already
     */
    count(link: number, click: Click, spent = false): void {
      buffer.add(link, click, spent)
      later()
    },

    /**
     * Writes everything down now: before the counts are shown, and at the end. Resolves also when
     * the database does not take them, and they go on waiting.
     */
    flush,

    /** Forgets a batch of names of sites that led here long ago. @returns how many */
    forgetOld: (tx: Transaction): number =>
      forgetReferrers.run(tx, { day: helsinki(clock() - namesMs).date }).changes,

    since,
  }
}
