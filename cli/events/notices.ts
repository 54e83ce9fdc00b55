import type { Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { EventActs, EventChange } from '#server/calendar/acts/acts.ts'
import type { EventNotice, TouchedBooking } from '#server/calendar/schema.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import * as options from '../common/options.ts'
import { minute, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'
import { bookingRow } from './views.ts'

/** `events notices` and `events notify`: what the bookings of changed events are to be told. */
export function addNotices(events: Command, useContext: UseContext, print: Print): void {
  events
    .command('notices')
    .description('list changed events whose clients haven’t been told')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { acts } = (await useContext()).features.calendar
      const rows = acts.waiting().map(({ eventId, before, after, createdAt, author }) => ({
        event: eventId,
        title: after.title,
        was: `${span(before)}, ${before.status}`,
        is: `${span(after)}, ${after.status}`,
        bookings: acts.noticeOf(eventId).touched.length,
        changed: minute(createdAt),
        by: author,
      }))
      print.listing(rows, { json, none: 'All clients have been told.' })
    })

  events
    .command('notify <id>')
    .description('preview the emails to clients about a changed event; --send sends them')
    .addOption(options.sendMails())
    .addOption(options.by())
    .action(async (id: string, { send, by }: { send?: boolean; by: string }) => {
      const { acts } = (await useContext()).features.calendar
      const { notice, touched } = acts.noticeOf(id)
      if (!notice) {
        print.line(`No client of ${harmless(id)} needs telling.`)
        return
      }
      await showOrSend(acts, { id, notice, touched }, { send, by }, print)
    })
}

const span = ({ start, end }: EventNotice['before']) =>
  dateRange(start.slice(0, 10), (end ?? start).slice(0, 10))

/** What a change of an event means for bookings: shows the emails, and sends them when asked to. */
export async function noticesOfChange(
  acts: EventActs,
  { event, touched, notice }: EventChange,
  flags: { send?: boolean | undefined; by: string },
  print: Print,
): Promise<void> {
  if (notice) await showOrSend(acts, { id: String(event.id), notice, touched }, flags, print)
  else showTouched(touched, print)
}

/** Lists bookings that a change touches. */
export function showTouched(touched: readonly TouchedBooking[], print: Print): void {
  if (touched.length === 0) return
  print.line(
    `\n${touched.length === 1 ? '1 booking is' : `${touched.length} bookings are`} affected:`,
  )
  print.listing(touched.map(bookingRow), { none: '' })
}

async function showOrSend(
  acts: EventActs,
  { id, notice, touched }: { id: string; notice: EventNotice; touched: readonly TouchedBooking[] },
  { send, by }: { send?: boolean | undefined; by: string },
  print: Print,
): Promise<void> {
  showTouched(touched, print)
  if (send) {
    const notified = await acts.send(id, by)
    print.line(`\n${counted(notified.length, 'email')} queued; the running server sends them.`)
    return
  }
  const first = touched.find(({ mails }) => mails)
  if (!first) {
    print.line(
      `None of these clients gets emails, so please call them. Then: pitlane events notify ${harmless(id)} --send`,
    )
    return
  }
  const mail = await acts.preview(notice, first.reference)
  if (mail) print.line(`\nTo ${first.email}: ${mail.subject}\n\n${mail.text}`)
  print.line(`Not sent. Send with: pitlane events notify ${harmless(id)} --send`)
}
