import type { LoaderFunctionArgs } from 'react-router'
import { getAvailability, getBookingForm } from '#shared/bookings.ts'
import { isDate, isMonth, lastDayOf, monthOf } from '#shared/months.ts'
import { enteredContext } from './entered.ts'
import { siteOf } from '../site/loading.ts'
import { newSum } from '../site/sum.ts'

/** The booking form for the service, month, dates and event of its address. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const query = new URL(args.request.url).searchParams
  for (const [name, value] of Object.entries(args.context.get(enteredContext) ?? {})) {
    query.set(name, value)
    query.delete('month')
  }
  const [form, sum] = await Promise.all([
    api(getBookingForm, { event: query.get('event')?.slice(0, 80) || undefined }),
    newSum(api),
  ])
  const date = (name: string) => {
    const given = query.get(name)
    return isDate(given) ? given : ''
  }
  const from = date('from') || form.event?.from || ''
  const to = date('to') || (date('from') ? from : form.event?.to) || from
  const service =
    form.services.find(({ slug }) => slug === query.get('service')) ?? form.services[0]
  const month = within(query.get('month'), from || form.earliest, {
    first: monthOf(form.today),
    last: monthOf(form.latest),
  })
  return {
    form,
    sum,
    key: newKey(),
    service: service?.slug ?? '',
    /** What the address names itself; the rest is what the form begins with. */
    asks: {
      service: service !== undefined && service.slug === query.get('service'),
      month: isMonth(query.get('month')),
    },
    /** What the address names and cannot be booked. */
    unknown: {
      service: Boolean(query.get('service')) && service?.slug !== query.get('service'),
      event: Boolean(query.get('event')) && form.event === null,
    },
    chosen: { from, to: to < from ? from : to },
    month,
    days: service
      ? (
          await api(getAvailability, {
            service: service.slug,
            from: `${month}-01`,
            to: lastDayOf(month),
          })
        ).days
      : [],
  }
}

/** The asked-for month, or that of a date, as far as it can be booked. */
function within(
  asked: string | null,
  date: string,
  { first, last }: { first: string; last: string },
) {
  const month = isMonth(asked) ? asked : monthOf(date)
  if (month < first) return first
  return month > last ? last : month
}

/** A key for one submission: 128 bit, so that sending it twice is a repeat and not a second request. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** The data of the booking form. */
export type BookingFormData = Awaited<ReturnType<typeof loader>>
