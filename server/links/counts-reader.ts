import type { Database } from '../db/open.ts'
import type { Device } from './click.ts'

/** Prepares the reading of what is counted of links. */
export function readCounts(db: Database) {
  const byDay = db.prepare(`SELECT day, human, bot FROM link_days
    WHERE link = :link AND day >= :from ORDER BY day`)
  const byDevice = db.prepare(`SELECT sum(human) AS human, sum(phone) AS phone,
      sum(tablet) AS tablet, sum(computer) AS computer, sum(other) AS other
    FROM link_days WHERE link = :link AND day >= :from`)
  const byHost = db.prepare(`SELECT host AS name, sum(count) AS count FROM link_referrers
    WHERE link = :link AND day >= :from GROUP BY host ORDER BY 2 DESC, 1 LIMIT 50`)
  const known = db
    .prepare('SELECT sum(count) FROM link_referrers WHERE link = :link AND day >= :from')
    .pluck()

  /** The counts since a day, YYYY-MM-DD; days without any are not among them. */
  return (link: number, from: string) => {
    const { human, ...devices } = byDevice.get({ link, from }) as Record<
      Device | 'human',
      number | null
    >
    const referred = (known.get({ link, from }) as number | null) ?? 0
    const rows = [
      ...(byHost.all({ link, from }) as Share[]),
      { name: '', count: (human ?? 0) - referred },
    ]
    return {
      days: byDay.all({ link, from }) as { day: string; human: number; bot: number }[],
      referrers: mostFirst(rows),
      devices: mostFirst(
        Object.entries(devices).map(([name, count]) => ({ name, count: count ?? 0 })),
      ),
    }
  }
}

type Share = { name: string; count: number }

const mostFirst = (rows: readonly Share[]) =>
  rows.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
