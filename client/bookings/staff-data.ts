import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { answerBooking, getStaffBooking } from '#shared/bookings/staff-page.ts'
import { checkForm, type Entries } from '#shared/forms/form.ts'
import { offerField, offerOf } from '#shared/bookings/offer-form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { readStaff } from '../desk/loader.ts'
import { postedEntries, sendBack, type FormAnswer } from '../forms/form-action.ts'
import { siteOf } from '../site/data/loading.ts'

/**
 * The booking of a link in staff's email, with what conflicts with it; `isStaff` for a session that opens
 * it at the desk, too.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { token = '' } = args.params
  const [booking, { isStaff }] = await Promise.all([
    siteOf(args).api(getStaffBooking, { token }),
    readStaff(args),
  ])
  return { token, booking, isStaff }
}

/** The data of staff's page. */
export type StaffData = Awaited<ReturnType<typeof loader>>

/** Confirms, offers, declines or cancels by the link in staff's email. */
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
      ...(entries.act === 'cancel' && {
        because: entries.because,
        travel: offerOf(entries).travel,
      }),
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

/** The form's name of a field of the answer. */
function fieldOf(key: string, entries: Entries): string {
  if (key === 'text' && entries.act === 'offer') return 'note'
  return key.startsWith('offer.') ? offerField(key.slice('offer.'.length), entries) : key
}
