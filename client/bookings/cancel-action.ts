import { redirect, type ActionFunctionArgs } from 'react-router'
import { cancelBooking } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import { siteOf } from '../site/loading.ts'
import { refused } from './refused.ts'

/** Cancels the booking of a visitor's link; a second time changes nothing. */
export async function action(args: ActionFunctionArgs) {
  const { token = '' } = args.params
  try {
    await siteOf(args).api(cancelBooking, { token })
    return redirect(paths.bookingPage(token))
  } catch (thrown) {
    return refused(thrown)
  }
}
