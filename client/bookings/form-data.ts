import {
  createContext,
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import {
  bookingRequest,
  getAvailability,
  getBookingForm,
  requestBooking,
  type BookingForm,
  type BookingRequest,
  type DateRange,
} from '#shared/bookings/bookings.ts'
import { checkForm, type Entries, type FieldErrors } from '#shared/forms/form.ts'
import { isDate, isMonth, lastDayOf, monthOf } from '#shared/dates/months.ts'
import { toResult } from '#shared/forms/result.ts'
import { isByDates as isSoldByDates } from '#shared/bookings/sale-units.ts'
import { track } from '../analytics/track.ts'
import { filledIn, postedEntries, refusalOf, type FormAnswer } from '../forms/form-action.ts'
import { newSum, sumProblem, sumProof } from '../forms/sum.ts'
import { randomHex } from '../random-hex.ts'
import { siteOf } from '../site/data/loading.ts'

/**
 * What was posted, for the loader that runs after the action: the form comes back with the month of
 * the dates that were entered, whatever its address says.
 */
const enteredContext = createContext<{ service: string; from: string; to: string } | null>(null)

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
    next: {
      priced: nextSteps(form, 'priced'),
      unpriced: nextSteps(form, 'unpriced'),
      project: nextSteps(form, 'project'),
    },
    sum,
    key: randomHex(),
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
    days:
      service && isSoldByDates(service.unit)
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

/** What happens after the request, in sentences; here, since the page's code has no room for them. */
const nextSteps = (
  { holdHours, cancellation, projectCancellation, deposit }: BookingForm,
  sale: 'priced' | 'unpriced' | 'project',
) => [
  ...(sale !== 'project'
    ? [
        `We hold your dates for at least ${holdHours} hours. If that would end at night, on a weekend or on a public holiday, the hold runs to noon on the next working day, but never into your first day.`,
        sale === 'priced'
          ? 'We check crew and travel, then confirm at this price, make you an offer or tell you why not.'
          : 'We check crew and travel, then make you an offer or tell you why not.',
      ]
    : [
        'We go through what you need. No dates are held, and nothing is binding.',
        'You’ll have our offer within two working days, to accept or decline.',
      ]),
  ...(deposit ? [`Once confirmed, a deposit of ${deposit.percent}\u00a0% is invoiced.`] : []),
  (sale === 'project' ? projectCancellation : cancellation).join(' '),
]

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

/** The data of the booking form. */
export type BookingFormData = Awaited<ReturnType<typeof loader>>

/** The booking form that came back: refused, or with other dates filled in. */
export type BookingAnswer = FormAnswer & {
  /** Dates that can be had instead: parts of those that were asked for, and the nearest others. */
  nearest: readonly DateRange[]
}

/**
 * Takes the form: on the server without scripts, in the browser with them. Whatever is wrong, the
 * entries come back.
 */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const entries = await postedEntries(args.request)
  const answer = (status: number, more: Partial<BookingAnswer>) => {
    const shown = { entries, errors: {}, message: null, nearest: [], ...more }
    const { service = '', from: first = '', to: last = '' } = shown.entries
    args.context.set(enteredContext, { service, from: first, to: last })
    return data<BookingAnswer>(shown, { status })
  }
  const [from, to] = (entries.fill ?? '').split('/')
  if (isDate(from) && isDate(to)) return answer(200, { entries: { ...entries, from, to } })
  const { value: request, errors: wrong } = checkForm(bookingRequest, requestOf(entries), {
    more: complaints(entries),
  })
  if (wrong) return answer(400, { errors: inOrder(wrong) })
  try {
    const { url } = await api(requestBooking, request, { proof: await sumProof(entries) })
    if (!import.meta.env.SSR) {
      track('booking_requested')
      ;(await import('./draft.ts')).forgetDraft()
    }
    return redirect(toResult(new URL(url).pathname))
  } catch (thrown) {
    const { status, code, reason, errors, message, details } = refusalOf(thrown)
    return answer(
      status,
      code === 'taken'
        ? { errors: { from: reason }, nearest: insteadOf(details) }
        : { errors, message },
    )
  }
}

/** What a refusal offers. */
const insteadOf = ({ parts = [], nearest }: Record<string, unknown>): DateRange[] => [
  ...(parts as DateRange[]),
  ...(nearest as DateRange[]),
]

/** What is wrong, in the order in which the form asks for it. */
const inOrder = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).toSorted(([a], [b]) => fieldOrder.indexOf(a) - fieldOrder.indexOf(b)),
  )

/** The fields from top to bottom; as an object, so the types cover them all. */
const fieldOrder = Object.keys({
  request: 0,
  key: 0,
  website: 0,
  service: 0,
  event: 0,
  from: 0,
  to: 0,
  start: 0,
  end: 0,
  zone: 0,
  place: 0,
  budget: 0,
  scope: 0,
  name: 0,
  email: 0,
  phone: 0,
  company: 0,
  country: 0,
  vatId: 0,
  message: 0,
  captcha: 0,
  terms: 0,
} satisfies Record<keyof BookingRequest | 'captcha' | 'request', 0>)

/** What can be known to be wrong here in addition to what the schema says, so that it is said at once. */
const complaints = (entries: Entries) => {
  const filled = filledIn(entries)
  return {
    ...(entries.scope === undefined
      ? { place: filled('place') ? null : 'Please tell us where the work takes place' }
      : { scope: filled('scope') ? null : 'Please tell us what you need' }),
    from: filled('from') ? null : 'Please choose a start date',
    captcha: sumProblem(entries),
  }
}

/** The request of the form, which may have mistakes. */
function requestOf(entries: Entries): Record<keyof BookingRequest, unknown> {
  const optional = filledIn(entries)
  const { key = '', service = '', from = '', scope, name = '', email = '' } = entries
  return {
    key,
    service,
    from,
    // A project has a start alone, and where there is no first day, one sentence says so.
    to: optional('to') ?? (from && scope === undefined ? from : undefined),
    start: optional('start'),
    end: optional('end'),
    zone: optional('zone'),
    place: optional('place'),
    scope: optional('scope'),
    budget: optional('budget'),
    event: optional('event'),
    name,
    email,
    phone: optional('phone'),
    company: optional('company'),
    country: optional('country'),
    vatId: optional('vatId'),
    message: optional('message'),
    // A box that is not ticked is refused with its own sentence.
    terms: Boolean(entries.terms),
    website: entries.website || undefined,
  }
}
