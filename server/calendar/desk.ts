import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import { deskGroup, thingsWithWords, type DeskSource } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { daysAt } from './event-times.ts'
import type { IndexedEvent, SeasonIndex } from './season.ts'

/** Milliseconds that the desk waits for the content service. */
const seasonTimeout = 2_000

/** Events at the desk: those of the next seven days. */
export function eventDesk(
  { clock }: Pick<Platform, 'clock'>,
  season: () => Promise<SeasonIndex>,
): DeskSource {
  // The desk opens without the content service, too; the doctor's line says that it's away.
  const events = async () => {
    try {
      return (await withTimeout(season(), seasonTimeout)).all
    } catch {
      return []
    }
  }
  return {
    async today() {
      const now = clock()
      const dayOf = daysAt(now)
      const end = addDays(dateAt(now), 7)
      const week = (await events()).filter((event) => event.to >= dayOf(event) && event.from <= end)
      return deskGroup('Events of the week', week, { line })
    },
    async find(words, limit) {
      const found = thingsWithWords((await events()).toReversed(), {
        words,
        limit,
        textsOf: ({ title, series, venue, city, country }) => [
          title,
          series?.title,
          venue,
          city,
          country,
        ],
      })
      return found.map(line)
    },
  }
}

const line = ({
  id,
  title,
  series,
  venue,
  city,
  country,
  from,
  to,
  status,
}: IndexedEvent): DeskLine => ({
  label: 'Event',
  title,
  detail: [
    dateRange(from, to),
    series?.title,
    venue,
    city,
    country,
    status === 'scheduled' ? null : status,
  ]
    .filter(Boolean)
    .join(' · '),
  urgent: false,
  at: `${from}T12:00:00.000Z`,
  href: paths.calendarEvent(id),
})
