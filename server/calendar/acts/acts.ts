import { dateRange } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import { slugOf } from '#shared/text/slug.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { decodedText } from '../../text/decoded-text.ts'
import type { Message } from '../../mail/message.ts'
import type { CalendarBookings } from '../calendar-bookings.ts'
import { daysAt } from '../event-times.ts'
import { eventsOfCsv, type CsvRecord } from '../import/csv.ts'
import { mergeEvents, type ImportCounts, type ImportRow } from '../import/merge.ts'
import type { ImportOptions } from '../import/options.ts'
import type { IcsReader } from '../import/read-icalendar.ts'
import { zoneNamed } from '../import/zones.ts'
import { eventsFile, nothingChanged, problemsOf } from './events-file.ts'
import {
  eventFacts,
  eventId,
  type EventFacts,
  type EventFields,
  type EventNotice,
  type StoredEvent,
  type TouchedBooking,
} from '../schema.ts'
import { eventChanged, noticeMessage, type NoticeData } from './notice-mail.ts'
import type { NoticeStore } from './notice-store.ts'

/** What became of an event, and which bookings that touches. */
export type EventChange = {
  event: StoredEvent
  /** Bookings that name the event. */
  touched: readonly TouchedBooking[]
  /** What they are to be told; null where that is nothing. */
  notice: EventNotice | null
}

/** What an import did, or would do. */
export type ImportResult = ImportCounts & {
  /** Rows that were left out, each with where it is and what is wrong with it. */
  skipped: readonly { where: string; problem: string }[]
  /** Changed events that bookings name. */
  touched: readonly EventChange[]
}

/** What an import takes for granted; the zone by any of its names. */
type ImportDefaults = Pick<ImportOptions, 'zone' | 'series'>

/** What staff and jobs do with events. */
export type EventActs = ReturnType<typeof createEventActs>

/** Which event is meant, by the id that feeds and bookings know it by. */
const thing = 'event'

/**
 * Makes the acts on events: each checks the rule, writes CONTENT_DIR, notes who did it, and prepares
 * what the bookings that it touches are to be told.
 */
export function createEventActs(
  platform: Platform,
  { notices, bookings, ics }: { notices: NoticeStore; bookings: CalendarBookings; ics: IcsReader },
) {
  const { brand, clock, commit, config, mails, outbox, timeline } = platform

  /** @throws an Error where the content is not ours to write */
  const file = () => {
    if (config.content) {
      throw new Error('CONTENT_URL is set: events come from that content service. Edit them there.')
    }
    return eventsFile(config.contentDir)
  }

  /** Notes a change, and prepares what its bookings are to be told. */
  const follow = (
    tx: Transaction,
    { before, after }: { before: StoredEvent; after: StoredEvent },
    { actor, act }: { actor: string; act: string },
  ): EventChange => {
    timeline.record(tx, {
      thing,
      thingId: eventId(after),
      actor,
      act,
      before: summary(before),
      after: summary(after),
      note: changedFields(before, after).join(', ') || null,
    })
    const touched = bookings.ofEvent(eventId(after))
    const facts = { before: factsOf(before), after: factsOf(after), author: actor }
    const notice = touched.length > 0 ? notices.prepare(tx, after, facts) : null
    return { event: after, touched, notice }
  }

  /** Changes one event. @throws missing, and an Error that names what the site would leave out */
  const change = async (
    id: string,
    { actor, act }: { actor: string; act: string },
    fields: EventFields,
  ): Promise<EventChange> => {
    let before: StoredEvent | null = null
    let after: StoredEvent | null = null
    await file().change((rows) => {
      before = mustFind(rows, id)
      after = { ...before, ...fields } as StoredEvent
      return rows.map((row) => (row === before ? after! : row))
    })
    return commit((tx) => follow(tx, { before: before!, after: after! }, { actor, act }))
  }

  return {
    /** Every event, the earliest first. */
    async list(): Promise<readonly StoredEvent[]> {
      return (await file().read()).toSorted((a, b) =>
        a.start < b.start ? -1 : a.start > b.start ? 1 : 0,
      )
    },

    /** Of events in order, those that are not over first, then the others, the last one first. */
    nextFirst(events: readonly StoredEvent[]): StoredEvent[] {
      const dayOf = daysAt(clock())
      const isOver = (event: StoredEvent) => (event.end || event.start).slice(0, 10) < dayOf(event)
      const over = events.filter(isOver)
      return [...events.filter((event) => !isOver(event)), ...over.toReversed()]
    },

    /** @throws missing */
    find: async (id: string): Promise<StoredEvent> => mustFind(await file().read(), id),

    /** Bookings that name an event, and those of its days at its place that name none. */
    touchedBy(event: StoredEvent): readonly TouchedBooking[] {
      const [from, to] = [event.start.slice(0, 10), (event.end ?? event.start).slice(0, 10)]
      const places = [event.venue, event.city].flatMap((place) => place?.trim() || [])
      const isThere = ({ place }: TouchedBooking) =>
        places.some((each) => place.toLowerCase().includes(each.toLowerCase()))
      const near = bookings.inRange({ from, to }).filter((each) => each.eventId === null)
      return [...bookings.ofEvent(eventId(event)), ...near.filter(isThere)]
    },

    /**
     * Adds an event.
     * @param given its fields; `id` stays for ever, and is made from title and year where left out
     * @throws duplicate for an id that is taken, and an Error that names what the site would leave out
     */
    async add(
      given: EventFields & { title: string; id?: string | undefined },
      actor: string,
    ): Promise<EventChange> {
      const { id, ...fields } = given
      const [name, year] = [slugOf(given.title), given.start?.slice(0, 4)]
      const made = !year || name.endsWith(`-${year}`) ? name : `${name}-${year}`
      const event = { ...fields, Status: 'published', id: id ?? made } as StoredEvent
      await file().change((rows) => {
        if (rows.some((row) => eventId(row) === eventId(event))) {
          throw failure('duplicate', { message: `Event ${eventId(event)} already exists.` })
        }
        return [...rows, event]
      })
      await commit((tx) =>
        timeline.record(tx, {
          thing,
          thingId: eventId(event),
          actor,
          act: 'added',
          after: summary(event),
        }),
      )
      return { event, touched: this.touchedBy(event), notice: null }
    },

    /** Changes fields of an event; null clears one. @throws missing, and what {@link add} throws */
    edit: (id: string, fields: EventFields, actor: string): Promise<EventChange> =>
      change(id, { actor, act: 'changed' }, fields),

    /** Cancels an event, which stays listed as cancelled. @throws missing */
    cancel: (id: string, actor: string): Promise<EventChange> =>
      change(id, { actor, act: 'cancelled' }, { status: 'cancelled' }),

    /** Takes away an event that was added by mistake. @throws missing */
    async remove(id: string, actor: string): Promise<EventChange> {
      let event: StoredEvent | null = null
      await file().change((rows) => {
        event = mustFind(rows, id)
        return rows.filter((row) => row !== event)
      })
      const { start, title } = event!
      await commit((tx) => {
        notices.forget(tx, id)
        timeline.record(tx, {
          thing,
          thingId: id,
          actor,
          act: 'removed',
          before: `${title}, ${start}`,
        })
      })
      return { event: event!, touched: bookings.ofEvent(id), notice: null }
    },

    /** The text of a file as office programs write it. */
    textOf: decodedText,

    /** Reads an iCalendar file. @throws invalid for an unknown zone, and an Error for no calendar */
    readIcs: async (text: string, given: ImportDefaults): Promise<ImportRow[]> =>
      ics.read(text, { ...withZone(given), now: clock() }),

    /** Reads the records of a CSV file. @throws invalid for an unknown zone */
    readCsv: (records: readonly CsvRecord[], given: ImportDefaults): ImportRow[] =>
      eventsOfCsv(records, withZone(given)),

    /**
     * Adds and updates events by their ids: all of them, or nothing.
     * @param options `skipBad` leaves out rows that the site would leave out, and names them
     * @throws an Error that names every bad row
     */
    async import(
      rows: readonly ImportRow[],
      { actor, dryRun, skipBad }: { actor: string; dryRun: boolean; skipBad: boolean },
    ): Promise<ImportResult> {
      const { good, skipped } = sorted(rows)
      if (skipped.length > 0 && !skipBad) {
        throw nothingChanged(skipped.map(({ where, problem }) => `${where}: ${problem}`))
      }
      let merged = mergeEvents([], [])
      await file().change((before) => (merged = mergeEvents(before, good)).rows, { dryRun })
      const { added, changed, same } = merged
      const counts = { added: added.length, changed: changed.length, same, skipped }
      if (dryRun) return { ...counts, touched: [] }
      const touched = await commit((tx) => {
        for (const event of added) {
          timeline.record(tx, {
            thing,
            thingId: eventId(event),
            actor,
            act: 'imported',
            after: summary(event),
          })
        }
        return changed.map((each) => follow(tx, each, { actor, act: 'imported' }))
      })
      return { ...counts, touched: touched.filter((each) => each.touched.length > 0) }
    },

    /** What the bookings of events have not been told yet. */
    waiting: (): EventNotice[] => notices.unsent(),

    /** The notice that waits for an event, with its bookings. */
    noticeOf(id: string): { notice: EventNotice | null; touched: readonly TouchedBooking[] } {
      return { notice: notices.unsentOf(id), touched: bookings.ofEvent(id) }
    },

    /** The email that a booking would get; null where it has ended. */
    async preview(notice: EventNotice, reference: string): Promise<Message | null> {
      const described = await bookings.describe(reference)
      if (!described) return null
      const { siteUrl, mail } = config
      return noticeMessage(await brand(), { notice, described, staff: mail.staff, siteUrl })
    },

    /**
     * Sends what the bookings of an event are to be told, to each of them once.
     * @returns the bookings that are written to
     * @throws missing where nothing waits to be sent
     */
    async send(id: string, actor: string): Promise<readonly TouchedBooking[]> {
      const notice = notices.unsentOf(id)
      if (!notice) throw failure('missing', { message: `No emails to send for ${id}.` })
      const notified = await commit((tx) => {
        // Those who only call are named to staff, and not written to.
        const touched = bookings.ofEvent(id).filter((each) => each.mails)
        for (const { reference, email } of touched) {
          const data: NoticeData = { notice: notice.id, reference }
          const key = `event-${notice.id}-${reference}`
          mails.enqueue(tx, eventChanged, { key, data, recipient: email })
          timeline.record(tx, {
            thing: 'booking',
            thingId: reference,
            actor,
            act: 'told about the event change',
            note: summaryOf(notice.after),
          })
        }
        notices.sent(tx, notice)
        timeline.record(tx, {
          thing,
          thingId: id,
          actor,
          act: 'clients told',
          note: touched.map(({ reference }) => reference).join(', ') || null,
        })
        return touched
      })
      outbox.wake()
      return notified
    },
  }
}

/** @throws invalid for what names no time zone */
function withZone({ zone: name, series }: ImportDefaults): ImportDefaults {
  const zone = name === null ? null : zoneNamed(name)
  if (name !== null && zone === null) {
    const message = `Unknown time zone: ${name}. Use one such as Europe/Helsinki.`
    throw failure('invalid', { message })
  }
  return { zone, series }
}

/** Rows that can be imported, and those that the site would leave out. */
function sorted(rows: readonly ImportRow[]) {
  const good: StoredEvent[] = []
  const skipped: { where: string; problem: string }[] = []
  for (const { where, event, problem } of rows) {
    const problems = event ? problemsOf(event) : [problem]
    if (event && problems.length === 0) good.push(event)
    else skipped.push({ where, problem: problems.join('; ') })
  }
  return { good, skipped }
}

function mustFind(rows: readonly StoredEvent[], id: string): StoredEvent {
  const event = rows.find((row) => eventId(row) === id)
  if (!event) throw failure('missing', { message: `Event not found: ${id}.` })
  return event
}

const factsOf = (event: StoredEvent): EventFacts =>
  eventFacts.parse({
    title: event.title,
    status: event.status || 'scheduled',
    start: event.start,
    end: event.end || null,
    zone: event.zone || null,
    place: [event.venue, event.city, event.country].filter(Boolean).join(', '),
  })

const summaryOf = ({ title, start, end, status }: EventFacts) =>
  `${title}, ${dateRange(start.slice(0, 10), (end ?? start).slice(0, 10))}, ${status}`
const summary = (event: StoredEvent) => summaryOf(factsOf(event))

const changedFields = (before: StoredEvent, after: StoredEvent): string[] =>
  Object.keys(after).filter(
    (name) =>
      ((before as Record<string, unknown>)[name] ?? null) !==
      ((after as Record<string, unknown>)[name] ?? null),
  )
