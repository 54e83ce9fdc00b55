import type { LoaderFunctionArgs } from 'react-router'
import { getSeason } from '#shared/calendar.ts'
import { siteOf } from '../site/data/loading.ts'
import { readOptional } from '../site/data/optional-read.ts'

/** The season, or a month of it, by series; null when the content service does not answer. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const month = query.get('month') ?? undefined
  const series = query.get('series') ?? undefined
  return {
    byMonth: month !== undefined,
    season: await readOptional(site, site.api(getSeason, { month, series })),
  }
}

/** The data of the calendar. */
export type CalendarData = Awaited<ReturnType<typeof loader>>
