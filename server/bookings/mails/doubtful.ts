import * as z from 'zod'
import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import { mailbox } from '../../mail/message.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { html } from '../../text/markup.ts'
import { parkedDays } from '../acts/shares.ts'
import type { Booking } from '../schema.ts'
import type { BookingStore } from '../store/store.ts'

/** Requests that one email names. */
const maxNamed = 20

const hour = z.object({
  /** End of the hour that the email is about, milliseconds of the epoch. */
  before: z.number(),
})

/** What the email has as its data. */
export type DoubtfulHour = z.output<typeof hour>

/** To staff, once an hour: the requests that may be a robot's, each with its page. */
export const doubtfulMail = ({
  bookings,
  mail,
  staffUrl,
  serviceTitle,
}: {
  bookings: Pick<BookingStore, 'doubtfulOf'>
  mail: { staff: string }
  staffUrl: (booking: Booking) => string
  serviceTitle: (slug: string) => Promise<string>
}): MailTemplate => ({
  keptDays: parkedDays,
  async render({ data }, brand) {
    const { before } = hour.parse(JSON.parse(data ?? 'null'))
    const found = bookings.doubtfulOf({ from: before - hourMs, before }, maxNamed + 1)
    if (found.length === 0) return { skip: 'nothing left to check' }
    const named = found.slice(0, maxNamed)
    const details = await Promise.all(
      named.map(async (booking) => {
        const what = `${await serviceTitle(booking.service)}, ${daysInWords(booking)}: ${booking.company ?? booking.name}`
        return [booking.reference, html`<a href="${staffUrl(booking)}">${what}</a>`] as const
      }),
    )
    const count = found.length > maxNamed ? `More than ${maxNamed}` : String(found.length)
    const requests = found.length === 1 ? 'booking request' : 'booking requests'
    return {
      to: mailbox(mail.staff),
      message: mailMessage(brand, {
        subject: `${count} ${requests} to check`,
        preheader: 'They hold no dates until you confirm them.',
        headline: 'Human or bot?',
        body: paragraphs(
          `These skipped the spam check, followed others from the same network, or filled in a hidden field. They hold no dates. Confirm the real ones; the rest lapse after ${parkedDays} days.`,
        ),
        details,
        small:
          'At most one of these an hour. All of them: pitlane bookings list --state quarantined',
      }),
    }
  },
})
