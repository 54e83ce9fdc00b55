import { redirect, type ActionFunctionArgs } from 'react-router'
import { answerBooking } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import { siteOf } from '../site/loading.ts'
import { refused } from './refused.ts'

/** Confirms or declines by the link in staff's mail. */
export async function action(args: ActionFunctionArgs) {
  const { token = '' } = args.params
  const form = await args.request.formData()
  const text = form.get('text')
  const entries = { text: typeof text === 'string' ? text : '' }
  try {
    await siteOf(args).api(answerBooking, {
      token,
      // What is neither is refused by the API.
      act: form.get('act') as 'confirm' | 'decline',
      text: entries.text,
    })
    return redirect(paths.bookingStaff(token))
  } catch (thrown) {
    return refused(thrown, entries)
  }
}
