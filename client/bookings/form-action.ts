import { data, redirect, type ActionFunctionArgs } from 'react-router'
import {
  bookingRequest,
  requestBooking,
  type BookingRequest,
  type DateRange,
} from '#shared/bookings.ts'
import { isDate } from '#shared/months.ts'
import { enteredContext } from './entered.ts'
import { refusalOf } from '../site/refusal.ts'
import { siteOf } from '../site/loading.ts'
import { sumProblem, sumProof } from '../site/sum.ts'

/** What was entered, by the names of the fields. */
export type Entries = Readonly<Record<string, string>>

/** What the form shows when it was refused, or when other dates were filled in. */
export type BookingRefusal = {
  entries: Entries
  errors: Readonly<Record<string, string>>
  /** A sentence for what is wrong with no field. */
  message: string | null
  /** Dates that can be had instead. */
  nearest: readonly DateRange[]
}

/**
 * Takes the form: on the server without scripts, in the browser with them. Whatever is wrong, the
 * entries come back.
 */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const entries = Object.fromEntries(
    Array.from(await args.request.formData(), ([name, value]) => [
      name,
      typeof value === 'string' ? value : '',
    ]),
  )
  const refuse = (refusal: Partial<BookingRefusal>, status: number) => {
    const shown = { entries, errors: {}, message: null, nearest: [], ...refusal }
    const { service = '', from: first = '', to: last = '' } = shown.entries
    args.context.set(enteredContext, { service, from: first, to: last })
    return data<BookingRefusal>(shown, { status })
  }
  const [from, to] = (entries.fill ?? '').split('/')
  if (isDate(from) && isDate(to)) return refuse({ entries: { ...entries, from, to } }, 200)
  const request = requestOf(entries)
  const wrong = problemsOf(request, entries)
  if (Object.keys(wrong).length > 0) return refuse({ errors: wrong }, 400)
  try {
    const { url } = await api(requestBooking, request, { proof: await sumProof(entries) })
    return redirect(new URL(url).pathname)
  } catch (thrown) {
    const { status, code, message, errors, details } = refusalOf(thrown)
    const taken = code === 'taken'
    return refuse(
      {
        errors: taken ? { from: message } : errors,
        message: taken || Object.keys(errors).length === 0 ? message : null,
        nearest: taken ? (details.nearest as DateRange[]) : [],
      },
      status,
    )
  }
}

/** The request of the form, which may have mistakes. */
function requestOf(entries: Entries): BookingRequest {
  const optional = (name: string) => entries[name]?.trim() || undefined
  const { key = '', service = '', from = '', place = '', name = '', email = '' } = entries
  return {
    key,
    service,
    from,
    to: entries.to?.trim() || from,
    start: optional('start'),
    end: optional('end'),
    place,
    event: optional('event'),
    name,
    email,
    phone: optional('phone'),
    company: optional('company'),
    message: optional('message'),
    // A box that is not ticked is refused with its own sentence.
    terms: Boolean(entries.terms) as true,
    website: entries.website || undefined,
  }
}

/** Everything that can be known to be wrong here, so that it is said at once. */
function problemsOf(request: BookingRequest, entries: Entries): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of bookingRequest.safeParse(request).error?.issues ?? []) {
    errors[String(path[0])] ??= message
  }
  // One day is asked for, so one sentence says that it is missing.
  if (request.from === '') errors.from = 'Please choose your first day'
  if (request.from === '' && request.to === '') delete errors.to
  const sum = sumProblem(entries)
  return sum ? { ...errors, captcha: sum } : errors
}
