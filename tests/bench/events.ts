import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { monthOf, monthsLater } from '#shared/dates/months.ts'
import type { StartSite } from './main.ts'
import { sideBySide, type SideBySide } from './side-by-side.ts'

const many = 20_000
/** Two hundred events a month, and the other half behind us. */
const days = 6 * 365

/**
 * Milliseconds of the calendar with twenty thousand events and with those of the sample; pages are
 * rendered again each time. Both sites show as many events on a page: the sample is repeated until
 * its list and its month are full, too.
 */
export async function eventLists({
  startSite,
  work,
}: {
  startSite: StartSite
  work: string
}): Promise<SideBySide[]> {
  const start = (events: number, span: number) => {
    const content = mkdtempSync(join(work, 'content-'))
    cpSync(join(import.meta.dirname, '../../data/content'), content, { recursive: true })
    multiply(join(content, 'events.json'), events, span)
    return startSite({ KEEP: '0', UNLIMITED: '1', CONTENT_DIR: content })
  }
  // A full month of the large site has 200 events and more; so has that of the small one.
  const small = await start(600, 60)
  const large = await start(many, days)
  const month = monthsLater(monthOf(dateAt(Date.now())), 1)
  const results = await sideBySide([small, large], {
    'season list': '/calendar',
    'month of the season': `/calendar?month=${month}`,
    'list of a series': '/calendar?series=kuura-ice-series',
    'booking form of an event': '/booking?event=event-1',
    search: '/search?q=kuusamo',
  })
  await Promise.all([small.stop(), large.stop()])
  return results
}

/** Repeats the events over days around today. */
function multiply(file: string, count: number, span: number): void {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[]
  const first = Date.now() - (span / 2) * 86_400_000
  const grown = Array.from({ length: count }, (_, index) => {
    const day = dateAt(first + Math.floor((index / count) * span) * 86_400_000)
    const { date_updated: _edited, ...row } = rows[index % rows.length]!
    return {
      ...row,
      id: `event-${index}`,
      title: `${String(row.title)} ${index}`,
      start: day,
      end: day,
      status: 'scheduled',
    }
  })
  writeFileSync(file, JSON.stringify(grown))
}
