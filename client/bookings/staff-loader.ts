import type { LoaderFunctionArgs } from 'react-router'
import { getStaffBooking } from '#shared/bookings.ts'
import { siteOf } from '../site/loading.ts'

/** The booking of a link in staff's mail, with what stands against it. */
export async function loader(args: LoaderFunctionArgs) {
  const { token = '' } = args.params
  return { booking: await siteOf(args).api(getStaffBooking, { token }) }
}

/** The data of staff's page. */
export type StaffData = Awaited<ReturnType<typeof loader>>
