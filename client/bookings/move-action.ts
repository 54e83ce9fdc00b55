import { redirect, type ActionFunctionArgs } from 'react-router'
import { moveBooking } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import { siteOf } from '../site/loading.ts'
import { refused } from './refused.ts'

/** Asks for other dates by a visitor's link; a single day needs no second date. */
export async function action(args: ActionFunctionArgs) {
  const { token = '' } = args.params
  const form = await args.request.formData()
  const field = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const from = field('from')
  const to = field('to') || from
  try {
    await siteOf(args).api(moveBooking, { token, from, to })
    return redirect(paths.bookingPage(token))
  } catch (thrown) {
    return refused(thrown, { from, to })
  }
}
