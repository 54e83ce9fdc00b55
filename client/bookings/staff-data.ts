import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { answerBooking, getStaffBooking } from '#shared/booking-staff.ts'
import { checkForm, type Entries } from '#shared/form.ts'
import { parseEuros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/result.ts'
import { filledIn, postedEntries, sendBack, type FormAnswer } from '../forms/form-action.ts'
import { siteOf } from '../site/data/loading.ts'

/** The booking of a link in staff's mail, with what stands against it. */
export async function loader(args: LoaderFunctionArgs) {
  const { token = '' } = args.params
  return { token, booking: await siteOf(args).api(getStaffBooking, { token }) }
}

/** The data of staff's page. */
export type StaffData = Awaited<ReturnType<typeof loader>>

/** Confirms, offers, declines or cancels by the link in staff's mail. */
export async function action(args: ActionFunctionArgs) {
  const { token = '' } = args.params
  const entries = await postedEntries(args.request)
  const isOffer = entries.act === 'offer'
  const seen = Number(entries.sequence || Number.NaN)
  const { value: answer, errors } = checkForm(
    answerBooking.input,
    {
      token,
      act: entries.act,
      ...(Number.isInteger(seen) && { sequence: seen }),
      text: isOffer ? entries.note : entries.text,
      ...(isOffer && { offer: offerOf(entries) }),
      ...(entries.act === 'cancel' && { because: entries.because }),
    },
    { nameOf: (key) => fieldOf(key, entries) },
  )
  if (errors) return data<FormAnswer>({ entries, errors, message: null }, { status: 400 })
  try {
    await siteOf(args).api(answerBooking, answer)
    return redirect(toResult(paths.bookingStaff(token)))
  } catch (thrown) {
    return sendBack(thrown, entries)
  }
}

/** The rows of the form in which a line of the offer was begun. */
const rowsOf = (entries: Entries): string[] =>
  Object.keys(entries).flatMap((name) =>
    name.startsWith('text-') && entries[name]?.trim() ? [name.slice('text-'.length)] : [],
  )

/** An offer as it was typed; a text that is no amount goes on as it is, and is refused. */
function offerOf(entries: Entries) {
  const typed = filledIn(entries)
  const amount = (name: string) => {
    const text = typed(name)
    return text && (parseEuros(text) ?? text)
  }
  const lines = rowsOf(entries).map((row) => ({
    text: typed(`text-${row}`),
    quantity: Number(typed(`quantity-${row}`) ?? 1),
    price: amount(`price-${row}`),
  }))
  return {
    ...(lines.length > 0 && { lines }),
    travel: amount('travel'),
    discount: amount('discount'),
    from: typed('from'),
    to: typed('to'),
    validUntil: typed('validUntil'),
  }
}

/** The form's name of a field of the answer: `offer.lines.0.price` is the price of its first row. */
function fieldOf(key: string, entries: Entries): string {
  const [, at, field] = /^offer\.lines\.(\d+)\.(\w+)$/.exec(key) ?? []
  if (at !== undefined) return `${field}-${rowsOf(entries)[Number(at)]}`
  return key === 'text' && entries.act === 'offer' ? 'note' : key.replace(/^offer\./, '')
}
