import { Router, type RequestHandler, type Response } from 'express'
import {
  answerBooking,
  cancelBooking,
  getAvailability,
  getBooking,
  getBookingForm,
  getDaysToMove,
  getStaffBooking,
  moveBooking,
  requestBooking,
} from '#shared/bookings.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Http, Platform } from '../feature.ts'
import { sentProof } from '../form-proofs.ts'
import { calendarText } from '../icalendar/document.ts'
import type { BookingActions } from './actions.ts'
import type { Actor } from './notices.ts'
import { bookingEntry } from './invitation.ts'
import { availability, daysToMove } from './free-days.ts'
import type { StaffFeed } from './staff-feed.ts'

/** Requests that one address may send in ten minutes; those that are refused count, too. */
const requests = { name: 'bookings', seconds: 600, most: 400 }
/** Signed pages and their buttons. */
const signed = { name: 'booking-pages', seconds: 60, most: 120 }

const visitor = (name: string): Actor => ({ name, isVisitor: true })
const staff: Actor = { name: 'staff, by the link in the mail', isVisitor: false }

/** The endpoints of booking (docs/contract.md, Booking), and its calendar files. */
export function bookingRoutes(platform: Platform, actions: BookingActions, feed: StaffFeed) {
  const { clock } = platform
  const { rules, days } = actions

  return ({ endpoints, limit, mount }: Http): void => {
    const done = { success: true as const }
    endpoints.serve(getAvailability, { limit: 'read', access: 'public' }, (input) =>
      availability({ rules, days, clock }, input),
    )
    endpoints.serve(
      requestBooking,
      { limit: requests, access: 'csrf' },
      (request, requestContext) =>
        actions.request(request, {
          address: requestContext.address,
          proof: sentProof(requestContext),
        }),
    )
    endpoints.serve(getBookingForm, { limit: 'read', access: 'public' }, ({ event }) =>
      actions.form(event),
    )
    endpoints.serve(getBooking, { limit: signed, access: 'public' }, ({ token }) =>
      actions.view(actions.ofVisitor(token)),
    )
    endpoints.serve(getDaysToMove, { limit: signed, access: 'public' }, ({ token, month }) =>
      daysToMove({ rules, days, clock }, actions.ofVisitor(token), month),
    )
    endpoints.serve(getStaffBooking, { limit: signed, access: 'public' }, ({ token }) =>
      actions.staffView(actions.ofStaff(token)),
    )
    endpoints.serve(cancelBooking, { limit: signed, access: 'csrf' }, async ({ token }) => {
      const { reference, name, state } = actions.ofVisitor(token)
      // Pressed twice, or sent again by the browser: it is as it was asked to be.
      if (state !== 'cancelled') await actions.cancel(reference, visitor(name))
      return done
    })
    endpoints.serve(moveBooking, { limit: signed, access: 'csrf' }, async ({ token, from, to }) => {
      const { reference, name } = actions.ofVisitor(token)
      await actions.move(reference, visitor(name), { from, to })
      return done
    })
    endpoints.serve(answerBooking, { limit: signed, access: 'csrf' }, async (input) => {
      const { reference } = actions.ofStaff(input.token)
      await actions[input.act](reference, staff, input.text ?? null)
      return done
    })

    const router = Router({ caseSensitive: true })
    router.get(paths.bookingFeed(':token'), limit(signed), async (request, response) => {
      if (!feed.opens(String(request.params.token))) throw failure('missing')
      sendCalendar(response, await feed.document())
    })
    router.get(paths.bookingCalendar(':token'), limit(signed), bookingCalendar(platform, actions))
    mount(router)
  }
}

/** Sends a booking to its visitor as a file for calendars. */
const bookingCalendar =
  (
    { brand, config }: Pick<Platform, 'brand' | 'config'>,
    actions: BookingActions,
  ): RequestHandler =>
  async (request, response) => {
    const booking = actions.ofVisitor(String(request.params.token))
    const { name } = await brand()
    const { service } = await actions.view(booking)
    const entry = bookingEntry(booking, config, {
      summary: `${service.title} by ${name}`,
      location: booking.place,
      url: actions.visitorUrl(booking),
    })
    sendCalendar(response, calendarText({ producer: name, method: 'PUBLISH', entries: [entry] }))
  }

function sendCalendar(response: Response, text: string): void {
  response
    .status(200)
    .setHeader('Content-Type', 'text/calendar; charset=utf-8')
    .setHeader('Cache-Control', 'private, no-store')
    .setHeader('X-Robots-Tag', 'noindex')
    .send(text)
}
