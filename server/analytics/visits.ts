import type { VisitSource } from '#shared/analytics/collect.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { CountedEvent } from '#shared/analytics/page-kinds.ts'
import {
  countedCampaign,
  countedHost,
  otherName,
  type Outcome,
} from '#shared/analytics/visit-source.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { integer, nullable, query, text } from '../db/table.ts'
import { createQuota } from '../http/limits/limits.ts'
import { visitCounts, type Dimension, type VisitEvent } from './schema.ts'

/** The source of what was done by a visitor whose way here isn't known. */
export const unknownSource = 'unknown'

/** How long sources are known by name, in milliseconds: two years. */
const keptMs = 730 * dayMs
/** For how long after its last visit a name counts as known, in milliseconds. */
const knownMs = 30 * dayMs

/** Names of a dimension that one network may bring up in a day. */
const maxNewOfNetwork = 10
/** Max names in a day that were not seen within {@link knownMs}; a flood of made-up ones ends here. */
const maxNew = 30
/** Names in a day; what is known goes on being counted until then. */
const maxNames = 100

/** What an event means for the visit that it belongs to. */
const visitEvents: Readonly<Partial<Record<CountedEvent, VisitEvent>>> = {
  view: 'visit',
  contact_sent: 'enquiry',
  booking_requested: 'booking',
  order_placed: 'order',
  newsletter_subscribed: 'subscription',
}

type Name = { name: string; medium: string; campaign: string }

const plain = (name: string): Name => ({ name, medium: '', campaign: '' })

/** Sums of a source over some days. */
export type SourceCounts = Name & { visits: number } & Record<Outcome, number>

/** What visits came from and ended in. */
export type VisitCounts = ReturnType<typeof createVisitCounts>

/**
 * Counts visits by source, for each day. Hosts and campaigns are easily made up, so names are few: known
 * ones first, and of new ones no more than a network and a day may bring.
 */
export function createVisitCounts(db: Database, { clock }: { clock: () => number }) {
  const insert = visitCounts.insert(
    db,
    `ON CONFLICT (dimension, name, medium, campaign, day, event) DO UPDATE SET count = count + 1`,
  )
  const same =
    'dimension = :dimension AND name = :name AND medium = :medium AND campaign = :campaign'
  const seen = query(db, `SELECT max(day) AS day FROM visit_counts WHERE ${same}`, {
    day: nullable(text()),
  })
  const names = query(
    db,
    `SELECT count(*) AS count FROM (SELECT DISTINCT name, medium, campaign FROM visit_counts
      WHERE day = :day AND dimension = :dimension)`,
    { count: integer() },
  )
  const list = visitCounts.select(
    db,
    `WHERE day >= :from AND day <= :to ORDER BY day, dimension, name, medium, campaign, event`,
  )
  const sums = query(
    db,
    `SELECT name, medium, campaign,
      sum(CASE event WHEN 'visit' THEN count ELSE 0 END) AS visits,
      sum(CASE event WHEN 'enquiry' THEN count ELSE 0 END) AS enquiry,
      sum(CASE event WHEN 'booking' THEN count ELSE 0 END) AS booking,
      sum(CASE event WHEN 'order' THEN count ELSE 0 END) AS "order",
      sum(CASE event WHEN 'subscription' THEN count ELSE 0 END) AS subscription
    FROM visit_counts WHERE dimension = :dimension AND day >= :from AND day <= :to
    GROUP BY name, medium, campaign ORDER BY visits DESC, enquiry + booking + "order" DESC, name, medium, campaign`,
    {
      name: text(),
      medium: text(),
      campaign: text(),
      visits: integer(),
      enquiry: integer(),
      booking: integer(),
      order: integer(),
      subscription: integer(),
    },
  )
  const byDay = query(
    db,
    `SELECT day, sum(count) AS count FROM visit_counts
      WHERE dimension = 'referrer' AND event = 'visit' AND day >= :from AND day <= :to
      GROUP BY day ORDER BY day`,
    { day: text(), count: integer() },
  )
  const forget = db.prepareWrite(`DELETE FROM visit_counts
    WHERE (dimension, name, medium, campaign, day, event) IN
      (SELECT dimension, name, medium, campaign, day, event FROM visit_counts
        WHERE day < :day LIMIT ${batchSize})`)

  const day = (at: number) => helsinki(at).date
  const newOfNetwork = createQuota({ max: maxNewOfNetwork, seconds: 86_400, clock })
  let fresh = { day: '', referrer: 0, campaign: 0 }

  /** The name under which something is counted today: its own while there is room for it. */
  const named = (dimension: 'referrer' | 'campaign', name: Name, network: string): Name => {
    if (name.name === '' && name.medium === '' && name.campaign === '') return name
    if (name.name === otherName) return plain(otherName)
    const today = day(clock())
    const last = seen.get({ dimension, ...name })?.day ?? ''
    if (last === today) return name
    const { count } = names.get({ day: today, dimension })!
    if (count >= maxNames) return plain(otherName)
    if (last >= day(clock() - knownMs)) return name
    if (fresh.day !== today) fresh = { day: today, referrer: 0, campaign: 0 }
    if (fresh[dimension] >= maxNew) return plain(otherName)
    if (newOfNetwork.take(`${dimension} ${network}`) > 0) return plain(otherName)
    fresh[dimension] += 1
    return name
  }

  return {
    /**
     * Counts that a visit began or what it ended in, on the server's day. Call inside a transaction.
     * @param source null for a visitor whose way here isn't known
     * @param network whose made-up names are few; it is not kept
     */
    add(tx: Transaction, counted: CountedEvent, source: VisitSource | null, network: string): void {
      const event = visitEvents[counted]
      if (event === undefined || (event === 'visit' && source === null)) return
      const add = (dimension: Dimension, name: Name) =>
        void insert(tx, { dimension, ...name, day: day(clock()), event, count: 1 })
      if (source === null) return add('referrer', plain(unknownSource))
      add('referrer', named('referrer', plain(countedHost(source.referrer)), network))
      add('landing', plain(source.landing))
      const found = countedCampaign(source)
      if (!found) return
      const { source: name, ...rest } = found
      add('campaign', named('campaign', { name, ...rest }, network))
    },

    /** Sums by source, most visits first. */
    sums: (dimension: Dimension, days: { from: string; to: string }): SourceCounts[] =>
      sums.all({ dimension, ...days }),
    /** Visits that began, by day; days without any are left out. */
    byDay: (days: { from: string; to: string }) => byDay.all(days),
    list: (days: { from: string; to: string }) => list.all(days),
    /** Forgets a batch of what was counted long ago. @returns how many */
    forgetOld: (tx: Transaction): number => forget.run(tx, { day: day(clock() - keptMs) }).changes,
  }
}
