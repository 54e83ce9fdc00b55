import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import {
  acceptOffer,
  cancelBooking,
  getBooking,
  getDaysToMove,
  moveBooking,
  payByCard,
  refuseOffer,
  setBilling,
} from '#shared/bookings/visitor-page.ts'
import type { DateRange } from '#shared/bookings/bookings.ts'
import { isDate, monthOf } from '#shared/dates/months.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import {
  filledIn,
  postedEntries,
  refusalOf,
  wholeNumber,
  type FormAnswer,
} from '../forms/form-action.ts'
import { siteOf } from '../site/data/loading.ts'

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
    /** The order whose payment the visitor comes back from; null for another view. */
    paid: query.get('paid'),
    room: booking.acts.move ? await api(getDaysToMove, { token, month }) : null,
  }
}

/** The data of a visitor's page. */
export type VisitorData = Awaited<ReturnType<typeof loader>>

/** A form of the page that came back. */
export type VisitorAnswer = FormAnswer & {
  /** Dates that can be had instead. */
  nearest: readonly DateRange[]
}

/**
 * What a visitor does with a booking: cancels it (a second time changes nothing), accepts an offer or
 * turns it down, says whom to invoice, asks for other dates, or goes on to pay by card. The address says
 * which.
 */
export async function action(args: ActionFunctionArgs) {
  const { token = '' } = args.params
  const { api } = siteOf(args)
  const posted = await postedEntries(args.request)
  const filled = filledIn(posted)
  const path = new URL(args.request.url).pathname
  const isMove = path.endsWith('/move')
  const from = filled('from') ?? ''
  // A single day needs no second date.
  const dates = { from, to: filled('to') ?? from }
  try {
    if (path.endsWith('/accept') || path.endsWith('/refuse')) {
      const answer = path.endsWith('/accept') ? acceptOffer : refuseOffer
      await api(answer, { token, ...(posted.offer && { offer: posted.offer }) })
    } else if (path.endsWith('/pay')) {
      const order = filled('order')
      const { next } = await api(payByCard, { token, ...(order && { order }) })
      return redirect(next, 303)
    } else if (isMove) await api(moveBooking, { token, ...dates })
    else if (path.endsWith('/billing')) {
      const { company, country, vatId, street, postcode, city, region } = posted
      await api(setBilling, { token, company, country, vatId, street, postcode, city, region })
    } else {
      const due = wholeNumber(posted.due)
      await api(cancelBooking, { token, ...(Number.isInteger(due) && { due }) })
    }
    return redirect(toResult(paths.bookingPage(token)))
  } catch (thrown) {
    const { status, code, message, errors, details } = refusalOf(thrown)
    const nearest = code === 'taken' ? (details.nearest as DateRange[]) : []
    const entries = isMove ? dates : posted
    return data<VisitorAnswer>({ message, errors, nearest, entries }, { status })
  }
}
