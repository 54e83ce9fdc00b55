import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { mostReferrers, otherHosts, type WaitingClicks } from './click-buffer.ts'

/** Prepares the writing of what is counted of links. */
export function writeCounts(db: Database) {
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

  /** Adds what is counted; belongs into a transaction. */
  return (tx: Transaction, counted: WaitingClicks): void => {
    const { link, day, human, bot, spent, lastAt, devices, referrers } = counted
    // Nothing to count for a link that has been removed.
    if (addTotals.run(tx, { link, human: human - spent, bot, lastAt }).changes === 0) return
    addDay.run(tx, { link, day, human, bot, ...devices })
    for (const [host, count] of referrers) {
      const { changes } = addReferrer.run(tx, { link, day, host, count })
      if (changes === 0) addReferrer.run(tx, { link, day, host: otherHosts, count })
    }
  }
}
