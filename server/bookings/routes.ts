import express, { Router, type Request, type Response } from 'express'
import {
  getAvailability,
  getBooking,
  getBookingForm,
  getStaffBooking,
  moveForm,
  requestBooking,
  staffForm,
} from '#shared/bookings.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Http, Platform } from '../feature.ts'
import { parseForm } from '../http/form-body.ts'
import { calendarText } from '../icalendar/document.ts'
import type { BookingActions, Actor } from './actions.ts'
import { availability } from './requests.ts'
import { bookingEntry } from './invitation.ts'
import { feedDocument, feedGeneration } from './staff-feed.ts'

/** Requests that one address may send in ten minutes; those that are refused count, too. */
const requests = { name: 'bookings', seconds: 600, most: 400 }
/** Signed pages and their buttons. */
const signed = { name: 'booking-pages', seconds: 60, most: 120 }

const visitor = (name: string): Actor => ({ name, isVisitor: true })
const staff: Actor = { name: 'staff, by the link in the mail', isVisitor: false }

/** The endpoints of booking, and the plain routes behind the forms of its signed pages. */
export function bookingRoutes(platform: Platform, actions: BookingActions) {
  const { clock, brand, config } = platform
  const { rules, days } = actions
  const form = express.urlencoded({ extended: false, limit: 32 * 1024, parameterLimit: 20 })

  return ({ endpoints, limit, mount, pageForm }: Http): void => {
    endpoints.serve(getAvailability, { limit: 'read', access: 'public' }, (input) =>
      availability({ rules, days, clock }, input),
    )
    endpoints.serve(
      requestBooking,
      { limit: requests, access: 'csrf' },
      (input, { address, proof }) => actions.request(input, { address, proof }),
    )
    endpoints.serve(getBookingForm, { limit: 'read', access: 'public' }, ({ event }) =>
      actions.form(event),
    )
    endpoints.serve(getBooking, { limit: signed, access: 'public' }, ({ token }) =>
      actions.view(actions.ofVisitor(token)),
    )
    endpoints.serve(getStaffBooking, { limit: signed, access: 'public' }, ({ token }) =>
      actions.staffView(actions.ofStaff(token)),
    )

    const router = Router({ caseSensitive: true })
    router.get(paths.bookingFeed(':token'), limit(signed), async (request, response) => {
      const generation = actions.readFeedToken(String(request.params.token))
      if (generation === null || generation !== feedGeneration(platform)) throw failure('missing')
      sendCalendar(response, await feedDocument(platform, actions))
    })
    router.get(paths.bookingCalendar(':token'), limit(signed), async (request, response) => {
      const booking = actions.ofVisitor(String(request.params.token))
      const { name } = await brand()
      const { service } = await actions.view(booking)
      const entry = bookingEntry(booking, config, {
        summary: `${service.title} by ${name}`,
        location: booking.place,
        url: actions.visitorUrl(booking),
      })
      sendCalendar(response, calendarText({ producer: name, method: 'PUBLISH', entries: [entry] }))
    })
    router.post(
      paths.bookingCancel(':token'),
      limit(signed),
      pageForm(paths.bookingPage(':token')),
      async (request: Request, response: Response) => {
        const token = String(request.params.token)
        const { reference, name } = actions.ofVisitor(token)
        await actions.cancel(reference, visitor(name))
        response.redirect(303, paths.bookingPage(token))
      },
    )
    router.post(
      paths.bookingMove(':token'),
      limit(signed),
      form,
      pageForm(paths.bookingPage(':token')),
      async (request: Request, response: Response) => {
        const token = String(request.params.token)
        const { reference, name } = actions.ofVisitor(token)
        await actions.move(reference, visitor(name), parseForm(moveForm, request.body))
        response.redirect(303, paths.bookingPage(token))
      },
    )
    router.post(
      paths.bookingStaff(':token'),
      limit(signed),
      form,
      pageForm(paths.bookingStaff(':token')),
      async (request: Request, response: Response) => {
        const token = String(request.params.token)
        const { reference } = actions.ofStaff(token)
        const { act, text } = parseForm(staffForm, request.body)
        await actions[act](reference, staff, text ?? null)
        response.redirect(303, paths.bookingStaff(token))
      },
    )
    mount(router)
  }
}

function sendCalendar(response: Response, text: string): void {
  response
    .status(200)
    .setHeader('Content-Type', 'text/calendar; charset=utf-8')
    .setHeader('Cache-Control', 'private, no-store')
    .setHeader('X-Robots-Tag', 'noindex')
    .send(text)
}
