import type { CancelReason } from './staff-page.ts'
import type { PageTexts } from '../page-texts.ts'

export const bookingTexts = {
  title: 'Book your dates',
  description:
    'Choose a service and dates, see what’s open, and send a booking request. We hold the dates and reply before the hold ends.',
} as const satisfies PageTexts

/** What a request is told that holds no dates yet, by what it waits for. */
export const waitingMessages = {
  link: 'One more step: open the link we’ve emailed you, and we’ll hold these dates for you.',
  staff:
    'There are several open requests from you or your network, so we’ll look at this one first.',
  check:
    'We check by hand that a person sent this request. Our team will know within the hour and get back to you.',
} as const

/** The reasons as staff choose them. */
export const cancelReasonTexts: Readonly<Record<CancelReason, string>> = {
  customer: 'At the client’s request',
  organiser: 'The organiser cancelled the event',
  us: 'We can’t do it',
}

/** Of the field for what of the agreed travel is lost if the organiser cancels; empty for all of it. */
export const lostTravelLabel = 'Net travel costs we can’t get back, if the organiser cancelled'
