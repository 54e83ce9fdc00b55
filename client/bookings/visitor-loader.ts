import type { LoaderFunctionArgs } from 'react-router'
import { getBooking } from '#shared/bookings.ts'
import { siteOf } from '../site/loading.ts'

/** The booking of a visitor's signed link; a link that is not ours is a page that is not there. */
export async function loader(args: LoaderFunctionArgs) {
  const { token = '' } = args.params
  return { token, booking: await siteOf(args).api(getBooking, { token }) }
}

/** The data of a visitor's page. */
export type VisitorData = Awaited<ReturnType<typeof loader>>
