import type { LoaderFunctionArgs } from 'react-router'
import { getStatistics, type Period } from '#shared/analytics/statistics.ts'
import { siteOf } from '../../site/data/loading.ts'
import { readStaff } from '../loader.ts'

/** What the site counted in the period that the address asks for. */
export async function loader(args: LoaderFunctionArgs) {
  const staff = await readStaff(args)
  if (!staff.isStaff) return { ...staff, statistics: null }
  const query = new URL(args.request.url).searchParams
  const asked = (name: string) => query.get(name) ?? undefined
  const statistics = await siteOf(args).api(getStatistics, {
    period: asked('period') as Period | undefined,
    from: asked('from'),
    to: asked('to'),
  })
  return { ...staff, statistics }
}

/** The data of the page of statistics. */
export type StatsData = Awaited<ReturnType<typeof loader>>
