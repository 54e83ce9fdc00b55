import { Router, type RequestHandler, type Response } from 'express'
import { getAvailability, getBookingForm, requestBooking } from '#shared/bookings/bookings.ts'
import {
  acceptOffer,
  cancelBooking,
  getBooking,
  getDaysToMove,
  moveBooking,
  payByCard,
  refuseOffer,
  setBilling,
} from '#shared/bookings/visitor-page.ts'
import { answerBooking, getStaffBooking } from '#shared/bookings/staff-page.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Http, Platform } from '../feature.ts'
import { sentProof } from '../secrets/form-proofs.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { RequestContext } from '../http/request-context.ts'
import { mailbox } from '../mail/message.ts'
import { calendarText } from '../icalendar/document.ts'
import { mountLinkPages } from '../shares/link-page.ts'
import type { BookingAccess } from './access.ts'
import type { BookingActions } from './acts/acts.ts'
import { mountCallSheets, sendPdf } from './call-sheet.ts'
import type { Actor } from './mails/notices.ts'
import { bookingEntry, whereabouts } from './mails/invitation.ts'
import type { StaffFeed } from './staff-feed.ts'

/** Requests that one address may send in ten minutes; those that are refused count, too. */
const requests = { name: 'bookings', seconds: 600, max: 400 }
/** Payments that one address may begin; each asks the payment service. */
const payments = { name: 'booking-payments', seconds: 600, max: 30 }
/** Signed pages and their buttons. */
const signed = { name: 'booking-pages', seconds: 60, max: 120 }

const visitor = (name: string): Actor => ({ name, isVisitor: true, isByLink: true })

/** What the routes are made from. */
type BookingRouteDeps = {
  actions: BookingActions
  access: BookingAccess
  feed: StaffFeed
  clientIn: ClientFeature['clientIn']
  sessionIn: ClientFeature['sessionIn']
}

/** The endpoints of booking (docs/contract.md, Booking), and its calendar files. */
export function bookingRoutes(platform: Platform, http: Http, deps: BookingRouteDeps): void {
  const { config } = platform
  const { actions, access, feed, clientIn, sessionIn } = deps

  /** Who answers by the link in staff's email: who is signed in for the desk, else whose email it is. */
  const staffName = (context: RequestContext): string => {
    const session = sessionIn(context)
    if (session?.scopes.has('desk')) return session.actor
    return `staff, by the link in the email to ${mailbox(config.mail.staff).address}`
  }

  const { endpoints, limit, mount } = http
  const done = { success: true as const }
  endpoints.serve(getAvailability, { limit: 'read', access: 'public' }, actions.availability)
  endpoints.serve(requestBooking, { limit: requests, access: 'csrf' }, (request, requestContext) =>
    actions.request(request, {
      address: requestContext.address,
      proof: sentProof(requestContext),
      isOwn: clientIn(requestContext)?.owns(request.email) ?? false,
    }),
  )
  endpoints.serve(getBookingForm, { limit: 'read', access: 'public' }, ({ event }) =>
    actions.form(event),
  )
  endpoints.serve(
    getBooking,
    { limit: signed, access: 'public' },
    async ({ token }, requestContext) => {
      const { reference } = access.ofVisitor(token, requestContext)
      await actions.billing.look(reference)
      return actions.view(actions.find(reference))
    },
  )
  endpoints.serve(
    getDaysToMove,
    { limit: signed, access: 'public' },
    ({ token, month }, requestContext) =>
      actions.daysToMove(access.ofVisitor(token, requestContext), month),
  )
  endpoints.serve(getStaffBooking, { limit: signed, access: 'public' }, async ({ token }) => {
    const { reference } = access.ofStaff(token)
    await actions.billing.look(reference)
    return actions.staffView(actions.find(reference))
  })
  endpoints.serve(
    cancelBooking,
    { limit: signed, access: 'csrf' },
    async ({ token, due }, requestContext) => {
      const { reference, name, state } = access.ofVisitor(token, requestContext)
      // Pressed twice, or sent again by the browser: it is as it was asked to be.
      if (state !== 'cancelled') await actions.withdraw(reference, visitor(name), due)
      return done
    },
  )
  endpoints.serve(
    moveBooking,
    { limit: signed, access: 'csrf' },
    async ({ token, from, to }, requestContext) => {
      const { reference, name, change } = access.ofVisitor(token, requestContext)
      // Pressed twice, as above: it neither counts as another move nor asks staff once more.
      const isAsked = change?.from === from && change.to === to
      if (!isAsked) await actions.move(reference, visitor(name), { from, to })
      return done
    },
  )
  endpoints.serve(
    acceptOffer,
    { limit: signed, access: 'csrf' },
    async ({ token, offer }, requestContext) => {
      const { reference, name } = access.ofVisitor(token, requestContext)
      await actions.accept(reference, visitor(name), offer)
      return done
    },
  )
  endpoints.serve(
    refuseOffer,
    { limit: signed, access: 'csrf' },
    async ({ token, offer }, requestContext) => {
      const { reference, name } = access.ofVisitor(token, requestContext)
      await actions.refuse(reference, visitor(name), offer)
      return done
    },
  )
  endpoints.serve(
    setBilling,
    { limit: signed, access: 'csrf' },
    async ({ token, ...billing }, requestContext) => {
      const { reference, name } = access.ofVisitor(token, requestContext)
      await actions.setBilling(reference, visitor(name), billing)
      return done
    },
  )
  endpoints.serve(
    payByCard,
    { limit: payments, access: 'csrf' },
    async ({ token, order }, requestContext) => {
      const booking = access.ofVisitor(token, requestContext)
      return { success: true as const, next: await actions.payByCard(booking, token, order) }
    },
  )
  endpoints.serve(answerBooking, { limit: signed, access: 'csrf' }, async (input, context) => {
    const { reference } = access.ofStaff(input.token)
    const text = input.text ?? null
    const actor = { name: staffName(context), isVisitor: false, seen: input.sequence }
    if (input.act === 'offer') await actions.offer(reference, actor, text, input.offer ?? {})
    else if (input.act === 'cancel') {
      await actions.cancel(reference, actor, text, input.because, input.travel)
    } else if (input.act === 'undo') await actions.undo(reference, actor)
    // Their page says what doesn't follow the days.
    else if (input.act === 'confirm')
      await actions.confirm(reference, actor, text, { keepLines: true })
    else await actions.decline(reference, actor, text)
    return done
  })

  mountLinkPages(http, {
    path: linkedPaths.bookingConfirm,
    look(token) {
      const { booking } = actions.waiting(token)
      return {
        title: `Booking request ${booking.reference}`,
        text: `${dateRange(booking.from, booking.to)}: one click, and we hold these dates for you if they’re still open.`,
        button: 'Hold these dates',
      }
    },
    async use(token) {
      const { booking, isHeld } = await actions.useLink(token)
      return { outcome: isHeld ? 'held' : 'staff', url: actions.visitorUrl(booking) }
    },
  })
  mountCallSheets(http, signed, { ofSheet: access.ofSheet, documents: actions.documents })
  const router = Router({ caseSensitive: true })
  router.get(linkedPaths.bookingFeed(':token'), limit(signed), async (request, response) => {
    const opened = feed.open(String(request.params.token))
    if (!opened) throw failure('missing')
    sendCalendar(response, await feed.document(opened.person))
  })
  router.get(
    paths.bookingAgreement(paths.bookingPage(':token')),
    limit(signed),
    async (request, response) => {
      const token = String(request.params.token)
      const booking = access.ofVisitor(token, requestContextOf(response))
      sendPdf(response, await actions.documents.agreement(booking))
    },
  )
  router.get(
    paths.bookingAgreement(paths.bookingStaff(':token')),
    limit(signed),
    async (request, response) => {
      const booking = access.ofStaff(String(request.params.token))
      sendPdf(response, await actions.documents.agreement(booking))
    },
  )
  router.get(paths.bookingCalendar(':token'), limit(signed), bookingCalendar(platform, deps))
  mount(router)
}

/** Sends a booking to its visitor as a file for calendars. */
const bookingCalendar =
  (
    { brand, config }: Pick<Platform, 'brand' | 'config'>,
    { actions, access }: Pick<BookingRouteDeps, 'actions' | 'access'>,
  ): RequestHandler =>
  async (request, response) => {
    const token = String(request.params.token)
    const booking = access.ofVisitor(token, requestContextOf(response))
    const who = await brand()
    const { name } = who
    const { service } = await actions.view(booking)
    const entry = bookingEntry(booking, who, {
      summary: `${service.title} by ${name}`,
      ...whereabouts(booking, booking.state, { email: mailbox(config.mail.staff).address }),
      // The page that it was fetched from: a client's session never learns the visitor's link.
      url: config.siteUrl + paths.bookingPage(token),
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
