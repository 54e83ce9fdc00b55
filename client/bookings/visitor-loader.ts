import type { LoaderFunctionArgs } from 'react-router'
import { getBooking, getDaysToMove } from '#shared/bookings.ts'
import { isDate, monthOf } from '#shared/months.ts'
import { siteOf } from '../site/loading.ts'

/**
 * The booking of a visitor's signed link, with the month in which it may move; a link that is not
 * ours is a page that is not there.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { token = '' } = args.params
  const { api } = siteOf(args)
  const query = new URL(args.request.url).searchParams
  const booking = await api(getBooking, { token })
  const asked = query.get('from')
  const from = isDate(asked) ? asked : booking.from
  const last = query.get('to')
  const to = isDate(asked) ? (isDate(last) && last >= from ? last : from) : booking.to
  const month = query.get('month')?.slice(0, 20) || monthOf(from)
  return {
    token,
    booking,
    chosen: { from, to },
    room: booking.acts.move ? await api(getDaysToMove, { token, month }) : null,
  }
}

/** The data of a visitor's page. */
export type VisitorData = Awaited<ReturnType<typeof loader>>
