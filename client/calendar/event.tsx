import type { EventCoverage, EventStatus, SeasonEvent } from '#shared/calendar.ts'
import { dateRange } from '#shared/date-format.ts'
import { paths } from '#shared/paths.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import styles from './event.module.css'
import { Times } from './times.tsx'

const statuses: Record<
  Exclude<EventStatus, 'scheduled'>,
  { tone: BadgeTone; word: string; text: string }
> = {
  tbc: { tone: 'waiting', word: 'To be confirmed', text: 'The date is not final yet.' },
  postponed: {
    tone: 'waiting',
    word: 'Postponed',
    text: 'It does not take place on this date; a new one is not known yet.',
  },
  cancelled: { tone: 'bad', word: 'Cancelled', text: 'It does not take place.' },
}

const coverages: Record<Exclude<EventCoverage, 'none'>, { tone: BadgeTone; word: string }> = {
  free: { tone: 'active', word: 'We are there: places left' },
  covered: { tone: 'active', word: 'We are there' },
  full: { tone: 'done', word: 'We are there: fully booked' },
}

const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

/** An event of the season: when and where it is, whether it takes place, whether we are there. */
export function EventRow({
  event,
  heading: Heading = 'h3',
  isPast = false,
}: {
  event: SeasonEvent
  heading?: 'h3' | 'h4'
  isPast?: boolean
}) {
  const { id, title, series, venue, city, country, from, to, status } = event
  return (
    <article
      id={`event-${id}`}
      className={styles.event}
      data-status={status}
      data-past={isPast ? '' : undefined}
    >
      <p className={styles.date} aria-hidden="true">
        <span className={styles.day}>
          {Number(from.slice(8))}
          {to !== from && `–${Number(to.slice(8))}`}
        </span>
        <span className="label">{monthsOf(from, to)}</span>
      </p>
      <div className={styles.what}>
        {series && (
          <p className={`label ${styles.series}`}>
            <a href={paths.calendar({ series: series.slug })}>{series.title}</a>
          </p>
        )}
        <Heading>{title}</Heading>
        <p className={styles.place}>
          <time dateTime={from}>{dateRange(from, to)}</time>
          <span>{[venue, city, country].filter(Boolean).join(', ')}</span>
        </p>
        <Times event={event} />
        {event.description && <p className={styles.description}>{event.description}</p>}
      </div>
      <State event={event} isPast={isPast} />
    </article>
  )
}

/** Whether it takes place, whether we are there, and where it leads from here. */
function State({ event, isPast }: { event: SeasonEvent; isPast: boolean }) {
  const { status, coverage } = event
  const said = status === 'scheduled' ? null : statuses[status]
  const there = coverage === 'none' || status === 'cancelled' ? null : coverages[coverage]
  return (
    <div className={styles.state}>
      {said && (
        <div>
          <Badge tone={said.tone}>{said.word}</Badge>
          <p className={styles.note}>{said.text}</p>
        </div>
      )}
      {there && !isPast && <Badge tone={there.tone}>{there.word}</Badge>}
      {there && isPast && <Badge tone="done">We were there</Badge>}
      {!isPast && <Ways event={event} />}
    </div>
  )
}

/** Leads to booking, and to the organiser. */
function Ways({ event: { title, bookPath, url } }: { event: SeasonEvent }) {
  if (!bookPath && !url) return null
  return (
    <div className={styles.ways}>
      {bookPath && (
        <a href={bookPath} className={`${button.button} ${button.quiet} ${button.small}`}>
          Book<span className="unseen"> {title}</span>
        </a>
      )}
      {url && (
        <a href={url} className={button.arrow} rel="noopener">
          <span>
            Organiser<span className="unseen"> of {title}</span>
          </span>{' '}
          <ArrowIcon />
        </a>
      )}
    </div>
  )
}

function monthsOf(from: string, to: string): string {
  const name = (date: string) => shortMonth.format(new Date(`${date}T00:00:00Z`))
  return from.slice(0, 7) === to.slice(0, 7) ? name(from) : `${name(from)}–${name(to)}`
}
