import type { EventCoverage, EventSession, SeasonEvent, Series } from '#shared/calendar.ts'
import type { Row } from '../collections.ts'
import { addDays } from '#shared/dates/civil-dates.ts'
import { slugOf } from '#shared/text/slug.ts'
import { eachInTurns } from '../concurrency/in-turns.ts'
import type { Content } from '../content/source.ts'
import { hoursInHelsinki, instantIn } from './event-times.ts'
import { readSessions } from './sessions.ts'

/** An event as content gives it: without its picture, and without what bookings say of it. */
export type IndexedEvent = Omit<SeasonEvent, 'picture' | 'bookPath' | 'coverage' | 'isOver'> & {
  /** The coverage that staff have pinned; null where it follows bookings and rules. */
  pinned: EventCoverage | null
  sessions: readonly EventSession[]
  image: string | null
  /** Of the last edit, where the content service says so; milliseconds of the epoch. */
  editedAt: number | null
}

/** The events of the content service by what addresses ask for, the earliest first. */
export type SeasonIndex = {
  all: readonly IndexedEvent[]
  byId: ReadonlyMap<string, IndexedEvent>
  /** By YYYY-MM; an event that runs over the end of a month is in both. */
  byMonth: ReadonlyMap<string, readonly IndexedEvent[]>
  series: readonly Series[]
}

type Rows = readonly Row<'events'>[]

/** Makes a function that gives the index of the moment; it is worked out once for each change. */
export function createSeasonIndex(content: Pick<Content, 'rows'>): () => Promise<SeasonIndex> {
  let source: Rows | null = null
  let index: Promise<SeasonIndex> | null = null
  return async () => {
    const rows = await content.rows('events')
    // Who asks while it is worked out waits for the same one.
    if (rows !== source || !index) index = indexOf((source = rows))
    return index
  }
}

/** In turns: the times of thousands of events in their zones take most of a second. */
async function indexOf(rows: Rows): Promise<SeasonIndex> {
  const keyed: { key: string; event: IndexedEvent }[] = []
  await eachInTurns(rows, (row) => {
    const event = eventOf(row)
    keyed.push({ key: sortKey(event), event })
  })
  const all = keyed
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ event }) => event)
  const byMonth = new Map<string, IndexedEvent[]>()
  const series = new Map<string, Series>()
  await eachInTurns(all, (event) => {
    for (const month of monthsOf(event)) {
      const others = byMonth.get(month)
      if (others) others.push(event)
      else byMonth.set(month, [event])
    }
    if (event.series) {
      const known = series.get(event.series.slug)
      if (known) known.count += 1
      else series.set(event.series.slug, { ...event.series, count: 1 })
    }
  })
  return {
    all,
    byId: new Map(all.toReversed().map((event) => [event.id, event])),
    byMonth,
    series: [...series.values()].toSorted(
      (a, b) => b.count - a.count || (a.title < b.title ? -1 : 1),
    ),
  }
}

const sortKey = ({ from, start, title }: IndexedEvent) => `${from} ${start ?? ''} ${title}`

function eventOf(row: Row<'events'>): IndexedEvent {
  const [from = '', start = null] = row.start.split('T')
  const [to = from, end = null] = (row.end ?? row.start).split('T')
  const zone = row.zone ?? null
  const slug = slugOf(row.series ?? '')
  const startsAt = instantIn(from, start, zone)
  const endsAt = row.end ? instantIn(to, end, zone) : null
  return {
    id: String(row.id),
    title: row.title,
    series: slug ? { slug, title: row.series!.trim() } : null,
    venue: row.venue ?? null,
    city: row.city ?? null,
    country: row.country ?? null,
    from,
    to,
    start,
    end: row.end ? end : null,
    zone,
    startsAt,
    endsAt,
    inHelsinki: hoursInHelsinki(zone, { from, to, startsAt, endsAt }),
    status: row.status ?? 'scheduled',
    pinned: row.coverage ?? null,
    url: row.url ?? null,
    organizer: row.organizer?.trim() || null,
    description: row.description ?? null,
    sessions: readSessions(row.sessions, { from, to, zone }),
    image: row.image ?? null,
    editedAt: row.date_updated ? Date.parse(row.date_updated) || null : null,
  }
}

/** The months that an event touches; of a very long one the first four. */
function monthsOf({ from, to }: IndexedEvent): string[] {
  const months = [from.slice(0, 7)]
  for (let date = from; months.length < 4;) {
    date = addDays(`${date.slice(0, 7)}-28`, 4)
    if (date.slice(0, 7) > to.slice(0, 7)) break
    months.push(date.slice(0, 7))
    date = `${date.slice(0, 7)}-01`
  }
  return months
}
