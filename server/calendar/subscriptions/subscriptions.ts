import { failure } from '#shared/failures.ts'
import type { Platform } from '../../feature.ts'
import { siteAct } from '../../timeline/timeline.ts'
import type { JobDefinition } from '../../jobs/job.ts'
import { isPrivateAddress } from '../../http/public-addresses.ts'
import type { EventActs, ImportResult } from '../acts/acts.ts'
import type { ImportRow } from '../import/merge.ts'
import type { EventFeed } from '../schema.ts'
import { differencesOf, type Difference } from './differences.ts'
import type { FeedStore } from './feed-store.ts'
import { calendarUrl, fetchCalendar } from './fetch-calendar.ts'

/** Failures in a row from which staff hear of a feed. */
const failuresTold = 3

/** A difference with the feed that it comes from. */
export type FeedDifference = Difference & { feed: EventFeed }

/** Calendars of organisers that staff have subscribed to, and what they say otherwise than ours. */
export type Subscriptions = ReturnType<typeof createSubscriptions>

/** Makes the acts on subscribed calendars. Nothing is fetched before an act or a job asks for it. */
export function createSubscriptions(
  platform: Platform,
  { feeds, acts }: { feeds: FeedStore; acts: EventActs },
) {
  const { clock, commit, config, log } = platform
  /** A site on the machine of its maker may read calendars from there. */
  const mayAskPrivate = () => {
    const { hostname } = new URL(config.siteUrl)
    return hostname === 'localhost' || isPrivateAddress(hostname)
  }

  const rowsOf = async ({ body, zone, series }: EventFeed): Promise<ImportRow[]> =>
    body === null ? [] : acts.readIcs(body, { zone, series })

  const differences = async (feed: EventFeed): Promise<Difference[]> =>
    differencesOf({
      rows: await acts.list(),
      feed: await rowsOf(feed),
      decisions: feeds.decisions(feed),
      now: clock(),
    })

  const recount = async (id: number): Promise<void> => {
    const feed = feeds.find(id)
    if (!feed) return
    const { length } = await differences(feed)
    if (length !== feed.openChanges) await commit((tx) => feeds.count(tx, feed, length))
  }

  /** Fetches one feed and counts what it changes. @returns why it could not be read, or null */
  const refresh = async (feed: EventFeed, signal?: AbortSignal): Promise<string | null> => {
    try {
      const { etag, url } = feed
      const allowPrivate = mayAskPrivate()
      const got = await fetchCalendar(url, { etag, allowPrivate, ...(signal && { signal }) })
      if ('unchanged' in got) {
        await commit((tx) => feeds.fetched(tx, feed, { body: feed.body ?? '', etag }))
      } else {
        await acts.readIcs(got.text, feed)
        await commit((tx) => feeds.fetched(tx, feed, { body: got.text, etag: got.etag }))
      }
      await recount(feed.id)
      return null
    } catch (error) {
      const problem = (error as Error).message.slice(0, 300)
      await commit((tx) => feeds.failed(tx, feed, problem))
      log.warn({ feed: feed.url, problem }, 'event feed could not be read')
      return problem
    }
  }

  const mustFind = (id: number): EventFeed => {
    const feed = feeds.find(id)
    if (!feed) throw failure('missing', { message: `Feed not found: ${id}.` })
    return feed
  }

  const all = async (): Promise<FeedDifference[]> => {
    const found = await Promise.all(
      feeds.all().map(async (feed) => (await differences(feed)).map((each) => ({ ...each, feed }))),
    )
    return found.flat()
  }

  const chosen = async (ids: readonly string[] | 'all'): Promise<FeedDifference[]> => {
    const open = await all()
    if (ids === 'all') return open
    return ids.flatMap((id) => {
      const found = open.filter(({ eventId }) => eventId === id)
      if (found.length === 0) {
        throw failure('missing', { message: `No change to approve: ${id}.` })
      }
      return found
    })
  }

  /** @throws changed where the organiser has changed something since staff looked */
  const mustBeAsShown = (some: readonly FeedDifference[]) => {
    const other = some.filter(
      ({ feed: { shown }, eventId, digest }) => shown !== null && shown[eventId] !== digest,
    )
    if (other.length === 0) return
    const which = other.map(({ eventId }) => eventId).join(', ')
    throw failure('changed', {
      message: `The organiser has changed ${which} since you looked. See events changes, then approve.`,
    })
  }

  const decide = async (some: readonly FeedDifference[], decision: 'approved' | 'dismissed') => {
    await commit((tx) => {
      for (const { feed, eventId, digest } of some) {
        feeds.decide(tx, feed, { eventId, decision, digest })
      }
    })
    for (const { id } of feeds.all()) await recount(id)
  }

  const actsOf = {
    list: (): EventFeed[] => feeds.all(),

    /**
     * Subscribes to a calendar and reads it once.
     * @throws invalid for what isn't an address or zone, duplicate for a known one, and an Error in a sentence
     *   when it cannot be read
     */
    async subscribe(
      url: string,
      { zone, series, actor }: { zone: string | null; series: string | null; actor: string },
    ): Promise<{ feed: EventFeed; changes: number; unreadable: number }> {
      const address = calendarUrl(url)
      // Said now rather than once an hour.
      acts.readCsv([], { zone, series })
      const feed = await commit((tx) =>
        feeds.add(tx, { url: address, zone, series, author: actor }),
      )
      if (!feed) throw failure('duplicate', { message: 'Already subscribed to this calendar.' })
      const problem = await refresh(feed)
      if (problem !== null) {
        await commit((tx) => feeds.remove(tx, feed))
        throw new Error(`The calendar can’t be read: ${problem}`)
      }
      const now = mustFind(feed.id)
      const unreadable = (await rowsOf(now)).filter(({ event }) => event === null).length
      return { feed: now, changes: now.openChanges, unreadable }
    },

    /**
     * Ends a subscription; events that came from it stay.
     * @param by who does it, for the timeline
     * @throws missing
     */
    async unsubscribe(id: number, by: string): Promise<EventFeed> {
      const feed = mustFind(id)
      await commit((tx) => {
        feeds.remove(tx, feed)
        const act = { actor: by, act: 'unsubscribed', note: `feed ${feed.id}` }
        platform.timeline.record(tx, siteAct('event feeds', act))
      })
      return feed
    },

    /** Reads all feeds now. @returns those that could not be read, with the reason */
    async refreshAll(signal?: AbortSignal): Promise<{ feed: EventFeed; problem: string }[]> {
      const failed: { feed: EventFeed; problem: string }[] = []
      for (const feed of feeds.all()) {
        if (signal?.aborted) break
        const problem = await refresh(feed, signal)
        if (problem !== null) failed.push({ feed, problem })
      }
      return failed
    },

    /** What the feeds say otherwise than the calendar, for staff, who approve what they were shown. */
    async changes(): Promise<FeedDifference[]> {
      const found = await all()
      await commit((tx) => {
        for (const feed of feeds.all()) {
          const own = found.filter((each) => each.feed.id === feed.id)
          feeds.show(tx, feed, Object.fromEntries(own.map((each) => [each.eventId, each.digest])))
        }
      })
      return found
    },

    /** What the feeds have and the site can't read, with the reason. */
    async unreadable(): Promise<{ feed: EventFeed; where: string; problem: string }[]> {
      const found = await Promise.all(
        feeds
          .all()
          .map(async (feed) =>
            (await rowsOf(feed)).flatMap(({ where, problem }) =>
              problem === null ? [] : [{ feed, where, problem }],
            ),
          ),
      )
      return found.flat()
    },

    /**
     * Takes differences over: new and changed events are imported, those that are gone are cancelled.
     * @param ids of events, or all
     * @throws missing for one of which nothing waits, changed for one that the organiser has changed since it
     *   was shown, and what an import throws
     */
    async approve(ids: readonly string[] | 'all', actor: string): Promise<ImportResult> {
      const some = await chosen(ids)
      mustBeAsShown(some)
      const rows = some
        .filter(({ kind }) => kind !== 'gone')
        .map(({ title, event }): ImportRow => ({ where: title, event, problem: null }))
      const result = await acts.import(rows, { actor, dryRun: false, skipBad: false })
      const gone = some.filter(({ kind }) => kind === 'gone')
      const cancelled = []
      for (const { eventId } of gone) cancelled.push(await acts.cancel(eventId, actor))
      await decide(some, 'approved')
      const touched = [...result.touched, ...cancelled.filter((each) => each.touched.length > 0)]
      return { ...result, changed: result.changed + gone.length, touched }
    },

    /** Leaves differences out until the feed says something else. @throws missing */
    async dismiss(
      ids: readonly string[] | 'all',
      actor: string,
    ): Promise<readonly FeedDifference[]> {
      const some = await chosen(ids)
      await decide(some, 'dismissed')
      await commit((tx) => {
        for (const { eventId } of some) {
          const act = 'organiser’s change dismissed'
          platform.timeline.record(tx, { thing: 'event', thingId: eventId, actor, act })
        }
      })
      return some
    },
  }

  return {
    ...actsOf,
    /** Differences that waited for staff when the feeds were last read. */
    waiting: (): number => feeds.all().reduce((sum, { openChanges }) => sum + openChanges, 0),
    /** Feeds that have failed several times in a row. */
    failing: (): EventFeed[] => feeds.all().filter(({ failures }) => failures >= failuresTold),
    jobs: [
      {
        kind: 'calendar.feeds',
        about: 'reads subscribed organisers’ calendars',
        recurs: { everyMinutes: 60 },
        run: async ({ signal }) => void (await actsOf.refreshAll(signal)),
      },
    ] satisfies JobDefinition[],
  }
}
