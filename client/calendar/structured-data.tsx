import type { EventStatus, SeasonEvent } from '#shared/calendar.ts'
import { shareImage } from '#shared/share-image.ts'
import { paths } from '#shared/paths.ts'
import { event as eventThing, type Thing } from '#shared/seo.ts'
import { StructuredData } from '../site/structured-data.tsx'

/** What schema.org calls a status; of one to be confirmed it knows nothing, so it is scheduled. */
const statuses: Record<EventStatus, string> = {
  scheduled: 'EventScheduled',
  tbc: 'EventScheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
}

/** The events of a page for search engines, each over the defaults of the site. */
export const EventsForMachines = ({ events }: { events: readonly SeasonEvent[] }) => (
  <StructuredData
    things={
      import.meta.env.SSR
        ? (publisher) =>
            events.map((event) => eventThing(given(event, publisher.origin), publisher))
        : null
    }
  />
)

function given(event: SeasonEvent, origin: string): Thing {
  const { id, title, description, from, to, startsAt, endsAt, status, venue, city, country } = event
  const url = origin + paths.calendarEvent(id, from)
  return {
    '@id': url,
    name: title,
    description: description ?? undefined,
    startDate: startsAt ?? from,
    endDate: endsAt ?? to,
    eventStatus: `https://schema.org/${statuses[status]}`,
    url: event.url && /^https?:/.test(event.url) ? event.url : url,
    location: venue || city || country ? place(event) : undefined,
    image: event.picture ? absolute(shareImage(event.picture).url, origin) : undefined,
  }
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
