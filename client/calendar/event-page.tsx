import { useLoaderData } from 'react-router'
import type { EventSession, SeasonEvent } from '#shared/calendar.ts'
import { dateRange, wholeDate } from '#shared/dates/date-format.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head/head.tsx'
import { Breadcrumbs } from '../ui/page/breadcrumbs.tsx'
import button from '../ui/button.module.css'
import { Facts } from '../ui/lists/facts.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import { WithAside } from '../ui/page/with-aside.tsx'
import { EventBadges } from './badges.tsx'
import { EventRow } from './event.tsx'
import type { EventData } from './event-loader.ts'
import styles from './event-page.module.css'
import { EventForMachines } from './structured-data.tsx'
import { Times, useClocks } from './times.tsx'

/** An event of the season: when and where it is, its sessions, and the way to book us for it. */
export function Component() {
  const data = useLoaderData<EventData>()
  const { event, sessions, next, picture, shared } = data
  const { id, title, series, venue, city, country, from, to, description, bookPath } = event
  const { isOver } = event
  const place = [venue, city, country].filter(Boolean).join(', ')
  const dates = dateRange(from, to)
  return (
    <div key={id}>
      <Head
        title={title.includes(from.slice(0, 4)) ? title : `${title}, ${dates}`}
        description={[`${dates}${place ? `, ${place}` : ''}.`, description ?? ''].join(' ').trim()}
        image={shared}
      />
      <EventForMachines event={event} />
      <header className={`wrap ${styles.head}`}>
        <Breadcrumbs
          trail={[
            { title: 'Calendar', href: paths.calendar() },
            ...(series
              ? [{ title: series.title, href: paths.calendar({ series: series.slug }) }]
              : []),
          ]}
        />
        <h1>{title}</h1>
        <p className={styles.when}>
          <time dateTime={from}>{dates}</time>
          {place && <span>{place}</span>}
        </p>
        <div className={styles.badges}>
          <EventBadges event={event} />
        </div>
        {!isOver && bookPath && (
          <a href={bookPath} className={`${button.button} ${styles.early}`}>
            Book us here
          </a>
        )}
      </header>
      {picture && (
        <div className={`wrap ${styles.picture}`}>
          <div className={styles.frame}>
            <Picture picture={picture} sizes="(width < 96rem) 92vw, 86rem" first />
          </div>
        </div>
      )}
      <WithAside label="Book and plan" aside={<Plan event={event} />}>
        {description && <p className={styles.description}>{description}</p>}
        <Times event={event} />
        <Sessions event={event} sessions={sessions} />
        {!description && sessions.length === 0 && (
          <p className={styles.description}>
            {isOver
              ? 'This event is over.'
              : event.status === 'cancelled'
                ? 'This event has been cancelled.'
                : 'The organiser hasn’t published a timetable yet. You’ll find it here as soon as we have it.'}
          </p>
        )}
      </WithAside>
      {next.length > 0 && <Next next={next} series={event.series} />}
    </div>
  )
}

/** What a visitor does with an event: book us, put it in a calendar, look it up. */
function Plan({ event }: { event: SeasonEvent }) {
  const { id, title, status, bookPath, url, organizer, from, to, venue, city, country } = event
  const { isOver } = event
  return (
    <>
      <p className="label">{isOver ? 'This event is over' : headingOf(event)}</p>
      {!isOver && <p className={styles.note}>{noteOf(event)}</p>}
      {!isOver && bookPath && (
        <a href={bookPath} className={button.button}>
          Book us here
        </a>
      )}
      {!isOver && !bookPath && (
        <a
          href={paths.contact()}
          data-contact={title}
          className={`${button.button} ${button.quiet}`}
        >
          Contact Us
        </a>
      )}
      {status !== 'cancelled' && (
        <a href={paths.calendarEventFile(id)} className={`${button.button} ${button.quiet}`}>
          Add to calendar (.ics)
        </a>
      )}
      <Facts
        className={styles.facts}
        facts={[
          ['Dates', dateRange(from, to)],
          ['Venue', venue],
          ['Place', [city, country].filter(Boolean).join(', ')],
          ['Organiser', organizer],
        ]}
      />
      {url && (
        <a href={url} className={button.arrow} rel="noopener">
          <span>
            Organiser’s page<span className="unseen"> of {title}</span>
          </span>{' '}
          <ArrowIcon />
        </a>
      )}
    </>
  )
}

const headingOf = ({ status, bookPath }: SeasonEvent) =>
  status === 'cancelled'
    ? 'Cancelled'
    : status === 'postponed'
      ? 'Postponed'
      : bookPath
        ? 'Racing here?'
        : 'Booking'

/** What can be said of booking, in a sentence or two. */
function noteOf({ status, coverage, bookPath }: SeasonEvent): string {
  if (status === 'cancelled') return 'This event won’t take place.'
  if (status === 'postponed') return 'New date to be announced. Booking opens again with it.'
  const soon =
    status === 'tbc' ? ' The date isn’t final yet; if it moves, so can your booking.' : ''
  if (bookPath) {
    return `Pick your dates and we’ll hold them while we check crew and travel, free and without obligation.${soon}`
  }
  if (coverage === 'full')
    return 'All our crews are booked. Write to us and we’ll see what we can do.'
  return 'These dates can’t be booked online. Write to us and we’ll see what we can do.'
}

/** The timetable, by day, in the zone of the event, in Helsinki and in the visitor's own. */
function Sessions({ event, sessions }: { event: SeasonEvent; sessions: readonly EventSession[] }) {
  const stretches = sessions.map((session) => ({
    ...session,
    from: session.date,
    to: session.date,
  }))
  const clocks = useClocks(event.zone, event.city, stretches)
  if (sessions.length === 0) return null
  const named = clocks.length > 0 ? clocks : [{ name: 'Time', read: localOf }]
  const days = Map.groupBy(stretches, ({ date }) => date)
  return (
    <section className={styles.sessions} aria-labelledby="sessions-title">
      <h2 id="sessions-title">Timetable</h2>
      {Array.from(days, ([date, some]) => (
        <table key={date}>
          <caption>{wholeDate(date)}</caption>
          <thead>
            <tr>
              {named.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">Session</th>
            </tr>
          </thead>
          <tbody>
            {some.map((session) => (
              <tr key={`${session.start} ${session.title}`}>
                {named.map(({ name, read }) => (
                  <td key={name} data-label={name}>
                    {read(session)}
                  </td>
                ))}
                <th scope="row">{session.title}</th>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}

const localOf = ({ start, end }: { start: string | null; end: string | null }) =>
  [start, end].filter(Boolean).join('–')

const Next = ({
  next,
  series,
}: {
  next: readonly SeasonEvent[]
  series: SeasonEvent['series']
}) => {
  const isSame = series !== null && next.every((each) => each.series?.slug === series.slug)
  return (
    <section className={`wrap ${styles.next}`} aria-labelledby="next-title">
      <h2 id="next-title">{isSame ? `Next in the ${series.title}` : 'Next in the season'}</h2>
      <ul>
        {next.map((event) => (
          <li key={event.id}>
            <EventRow event={event} />
          </li>
        ))}
      </ul>
      <a href={paths.calendar()} className={button.arrow}>
        <span>The whole season</span> <ArrowIcon />
      </a>
    </section>
  )
}
