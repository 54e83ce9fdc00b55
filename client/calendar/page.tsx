import { useLoaderData } from 'react-router'
import type { Season, SeasonEvent } from '#shared/calendar.ts'
import { monthName } from '#shared/dates/date-format.ts'
import { monthOf, monthsLater } from '#shared/dates/months.ts'
import { calendarTexts } from '#shared/calendar-texts.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head/head.tsx'
import button from '../ui/button.module.css'
import { ChoiceLinks } from '../ui/lists/choice-links.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { EventRow } from './event.tsx'
import type { CalendarData } from './loader.ts'
import { MonthTable } from './month-table.tsx'
import styles from './page.module.css'
import { EventsForMachines } from './structured-data.tsx'
import { Subscribe } from './subscribe.tsx'

/** The season: a list of what is to come, or a month, by series. */
export function Component() {
  const { season, byMonth } = useLoaderData<CalendarData>()
  if (!season) return <Unknown />
  const { chosen, month, events } = season
  const series = chosen?.slug
  const what = chosen ? chosen.title : calendarTexts.title
  return (
    <>
      <Head
        title={byMonth ? `${what}, ${monthName(month)}` : chosen ? `${what}: calendar` : what}
        description={`${
          chosen ? `Events of the ${chosen.title}` : 'Rally, circuit, ice and karting events'
        }${byMonth ? ` in ${monthName(month)}` : ''}: dates, places and times, where our crews are, and which dates are still open.`}
        {...((byMonth || series) && {
          address: paths.calendar({ ...(byMonth && { month }), series }),
        })}
        hidden={byMonth && events.length === 0}
      />
      <PageHead
        label="Calendar"
        title={byMonth ? monthName(month) : (chosen?.title ?? calendarTexts.title)}
        lead={
          <>
            {calendarTexts.lead}{' '}
            <a href={paths.calendarFeed(series)}>{'Calendar\u00a0feed\u00a0(.ics)'}</a>
          </>
        }
      />
      <EventsForMachines events={events} />
      <Choices season={season} byMonth={byMonth} />
      {byMonth ? <Month season={season} /> : <List season={season} />}
      <Subscribe chosen={chosen} />
    </>
  )
}

function Choices({ season, byMonth }: { season: Season; byMonth: boolean }) {
  const { series, chosen, month } = season
  const shown = byMonth ? month : undefined
  return (
    <div className={`wrap ${styles.choices}`}>
      <ChoiceLinks
        label="View"
        links={[
          { label: 'List', href: paths.calendar({ series: chosen?.slug }), chosen: !byMonth },
          {
            label: 'Month',
            href: paths.calendar({ month, series: chosen?.slug }),
            chosen: byMonth,
          },
        ]}
      />
      {series.length > 1 && (
        <ChoiceLinks
          label="Series"
          links={[
            { label: 'All', href: paths.calendar({ month: shown }), chosen: !chosen },
            ...series.map(({ slug, title, count }) => ({
              label: title,
              count,
              href: paths.calendar({ month: shown, series: slug }),
              chosen: slug === chosen?.slug,
            })),
          ]}
        />
      )}
    </div>
  )
}

function List({ season: { events, past, more, chosen } }: { season: Season }) {
  const months = Map.groupBy(events, ({ from }) => monthOf(from))
  return (
    <div className={`wrap ${styles.list} ${styles.season}`}>
      {events.length === 0 && <Nothing chosen={chosen !== null} />}
      {Array.from(months, ([month, some]) => (
        <section key={month} aria-labelledby={`month-${month}`}>
          <h2 id={`month-${month}`} className={styles.month}>
            <a href={paths.calendar({ month, series: chosen?.slug })}>{monthName(month)}</a>
          </h2>
          <Events events={some} />
        </section>
      ))}
      {more > 0 && (
        <p className={styles.more}>
          {more} more later in the season. Go to {more === 1 ? 'its' : 'their'} month or subscribe.
        </p>
      )}
      {past.length > 0 && (
        <details className={styles.past}>
          <summary>
            <h2>Past events</h2>
            <span>{past.length}</span>
          </summary>
          <Events events={past} />
        </details>
      )}
    </div>
  )
}

function Month({ season }: { season: Season }) {
  const { month, months, events, chosen, today, more } = season
  const address = (to: string) => paths.calendar({ month: to, series: chosen?.slug })
  const now = monthOf(today)
  const [first = now, last = now] = [months[0], months.at(-1)]
  const [earlier, later] = [monthsLater(month, -1), monthsLater(month, 1)]
  return (
    <div className={`wrap ${styles.list}`}>
      <nav className={styles.turn} aria-label="Months">
        {earlier >= first || earlier >= now ? (
          <a href={address(earlier)}>← {monthName(earlier)}</a>
        ) : (
          <span />
        )}
        {(later <= last || later <= now) && <a href={address(later)}>{monthName(later)} →</a>}
      </nav>
      <MonthTable month={month} events={events} today={today} />
      {events.length === 0 ? (
        <p className={styles.more}>No events in {monthName(month)}.</p>
      ) : (
        <section aria-labelledby="events-title">
          <h2 id="events-title" className={styles.month}>
            Events in {monthName(month)}
          </h2>
          <Events events={events} />
        </section>
      )}
      {more > 0 && <p className={styles.more}>{more} more events are in the calendar feed.</p>}
    </div>
  )
}

const Events = ({ events }: { events: readonly SeasonEvent[] }) => (
  <ul>
    {events.map((event) => (
      <li key={event.id}>
        <EventRow event={event} />
      </li>
    ))}
  </ul>
)

const Nothing = ({ chosen }: { chosen: boolean }) => (
  <EmptyState title={chosen ? 'No more rounds in this series' : 'The next season is being planned'}>
    <p>
      {chosen
        ? 'Past rounds are below.'
        : 'Dates appear here as soon as organisers publish them. You can book dates without an event at any time.'}
    </p>
    <a href={chosen ? paths.calendar() : paths.booking()} className={button.button}>
      {chosen ? 'Show all series' : 'Book your dates'}
    </a>
  </EmptyState>
)

const Unknown = () => (
  <>
    <Head
      title={calendarTexts.title}
      description="The season, where our crews will be, and which weekends are still open."
    />
    <PageHead label="Calendar" title={calendarTexts.title} />
    <EmptyState title="The calendar isn’t loading">
      <p>Try again in a minute.</p>
      <a href={paths.calendar()} className={button.button}>
        Try again
      </a>
    </EmptyState>
  </>
)
