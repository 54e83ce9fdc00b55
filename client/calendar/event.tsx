import type { SeasonEvent } from '#shared/calendar.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { paths } from '#shared/paths.ts'
import { shortMonth } from '#shared/dates/short-dates.ts'
import button from '../ui/button.module.css'
import { EventBadges } from './badges.tsx'
import styles from './event.module.css'
import { Times } from './times.tsx'

/**
 * An event of the season in a row: when and where it is, whether it takes place, whether it can be
 * booked. Days with crews to spare have the loud button, where we are anyway it is a quiet one.
 */
export function EventRow({
  event,
  heading: Heading = 'h3',
}: {
  event: SeasonEvent
  heading?: 'h3' | 'h4'
}) {
  const { id, title, series, venue, city, country, from, to, status, coverage } = event
  const { isOver, bookPath } = event
  const place = [venue, city, country].filter(Boolean).join(', ')
  return (
    <article
      id={`event-${id}`}
      className={styles.event}
      data-status={status}
      data-past={isOver ? '' : undefined}
    >
      <p className={styles.date} aria-hidden="true">
        <span className={styles.day}>
          {Number(from.slice(8))}
          {to !== from && `–${Number(to.slice(8))}`}
        </span>
        <span className="label">{monthsOf(from, to)}</span>
      </p>
      <div className={styles.what}>
        <Heading>
          <a href={paths.calendarEvent(id)}>{title}</a>
        </Heading>
        <div className={styles.where}>
          <p className={styles.place}>
            <time dateTime={from} className="unseen">
              {dateRange(from, to)}
            </time>
            {place && <span>{place}</span>}
            {series && <a href={paths.calendar({ series: series.slug })}>{series.title}</a>}
          </p>
          <Times event={event} />
        </div>
      </div>
      <div className={styles.state}>
        <EventBadges event={event} />
      </div>
      {!isOver && bookPath && (
        <a
          href={bookPath}
          className={`${button.button} ${coverage === 'free' ? '' : `${button.quiet} `}${styles.book}`}
        >
          Book<span className="unseen"> {title}</span>
        </a>
      )}
    </article>
  )
}

function monthsOf(from: string, to: string): string {
  const isOne = from.slice(0, 7) === to.slice(0, 7)
  return isOne ? shortMonth(from) : `${shortMonth(from)}–${shortMonth(to)}`
}
