import { dayMs } from '#shared/durations.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import type { Click } from './click.ts'
import { readCounts } from './counts-reader.ts'
import { createClickBuffer, mostReferrers, otherHosts, type WaitingClicks } from './click-buffer.ts'

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
  const addTotals = db.prepareWrite(`UPDATE links SET human = human + :human, bot = bot + :bot,
    last_click_at = max(coalesce(last_click_at, 0), :lastAt) WHERE id = :link`)
  const addDay = db.prepareWrite(`INSERT INTO link_days
    VALUES (:link, :day, :human, :bot, :phone, :tablet, :computer, :other)
    ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot,
      phone = phone + excluded.phone, tablet = tablet + excluded.tablet,
      computer = computer + excluded.computer, other = other + excluded.other`)
  const addReferrer = db.prepareWrite(`INSERT INTO link_referrers SELECT :link, :day, :host, :count
    WHERE EXISTS (SELECT 1 FROM link_referrers WHERE link = :link AND day = :day AND host = :host)
      OR :host = '${otherHosts}'
      OR (SELECT count(*) FROM link_referrers WHERE link = :link AND day = :day) < ${mostReferrers}
    ON CONFLICT DO UPDATE SET count = count + excluded.count`)
  const forgetReferrers = db.prepareWrite(`DELETE FROM link_referrers WHERE (link, day, host) IN
    (SELECT link, day, host FROM link_referrers WHERE day < :day LIMIT ${batchSize})`)

  const since = readCounts(db)
  const buffer = createClickBuffer({ clock })
  let timer: ReturnType<typeof setTimeout> | null = null
  let flushing: Promise<void> | null = null

  const write = (tx: Transaction, counted: WaitingClicks) => {
    const { link, day, human, bot, spent, lastAt, devices, referrers } = counted
    // Nothing to count for a link that has been removed.
    if (addTotals.run(tx, { link, human: human - spent, bot, lastAt }).changes === 0) return
    addDay.run(tx, { link, day, human, bot, ...devices })
    for (const [host, count] of referrers) {
      const { changes } = addReferrer.run(tx, { link, day, host, count })
      if (changes === 0) addReferrer.run(tx, { link, day, host: otherHosts, count })
    }
  }

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
