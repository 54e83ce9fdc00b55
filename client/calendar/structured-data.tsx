import type { EventStatus, SeasonEvent } from '#shared/calendar.ts'
import { shareImage } from '#shared/seo/share-image.ts'
import { paths } from '#shared/paths.ts'
import type { Thing } from '#shared/seo/json-ld.ts'
import { breadcrumbs, event as eventThing, type Publisher } from '#shared/seo/seo.ts'
import { StructuredData } from '../site/head/structured-data.tsx'

/** What schema.org calls a status; of one to be confirmed it knows nothing, so it is scheduled. */
const statuses: Record<EventStatus, string> = {
  scheduled: 'EventScheduled',
  tbc: 'EventScheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
}

/** The events of a list for search engines. */
export const EventsForMachines = ({ events }: { events: readonly SeasonEvent[] }) => (
  <StructuredData
    things={
      import.meta.env.SSR
        ? (publisher) => events.map((event) => eventThing(given(event, publisher), publisher))
        : null
    }
  />
)

/** An event and the way to its page for search engines. */
export const EventForMachines = ({ event }: { event: SeasonEvent }) => (
  <StructuredData
    things={
      import.meta.env.SSR
        ? (publisher) => [
            eventThing(given(event, publisher), publisher),
            breadcrumbs(
              [
                { name: 'Calendar', path: paths.calendar() },
                { name: event.title, path: paths.calendarEvent(event.id) },
              ],
              publisher,
            ),
          ]
        : null
    }
  />
)

/**
 * What is known of an event, over the defaults of the site. The agency holds only what names it as its
 * organiser; where no one is named, and where the place is not known, nothing is said.
 */
function given(event: SeasonEvent, { origin, identity }: Publisher): Thing {
  const { id, title, description, from, to, startsAt, endsAt, status, venue, city, country } = event
  const { start, end, url, organizer } = event
  const page = origin + paths.calendarEvent(id)
  const isOurs = organizer?.trim().toLowerCase() === identity.brand.trim().toLowerCase()
  const organizerPage = url && /^https?:/.test(url) ? url : undefined
  return {
    '@id': `${page}#event`,
    name: title,
    description: description ?? undefined,
    startDate: localTime(from, start, startsAt),
    endDate: localTime(to, end, endsAt),
    eventStatus: `https://schema.org/${statuses[status]}`,
    url: page,
    sameAs: organizerPage,
    location: venue || city || country ? place(event) : null,
    organizer: isOurs
      ? undefined
      : organizer
        ? { '@type': 'Organization', name: organizer, url: organizerPage }
        : null,
    image: event.picture ? absolute(shareImage(event.picture).url, origin) : undefined,
  }
}

/**
 * A date, or a time by the clock where the event is with its offset from UTC: search engines show the
 * date as it is written.
 */
function localTime(date: string, time: string | null, instant: string | null): string {
  if (time === null || instant === null) return date
  const minutes = Math.round((Date.parse(`${date}T${time}Z`) - Date.parse(instant)) / 60_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${date}T${time}:00${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const place = ({ venue, city, country }: SeasonEvent): Thing => ({
  '@type': 'Place',
  name: venue ?? city ?? country,
  address: {
    '@type': 'PostalAddress',
    addressLocality: city ?? undefined,
    addressCountry: country ?? undefined,
  },
})

const absolute = (address: string, origin: string) =>
  address.startsWith('/') ? origin + address : address
