import * as z from 'zod/mini'
import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import { bookingEdit, cancelReasons, netAmount, offerEntries } from '#shared/bookings/staff-page.ts'
import { bookingLimits } from '#shared/bookings/limits.ts'
import { billingFields, clearedBilling } from '#shared/bookings/visitor-page.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import type { DeskPreview, DeskThing } from '#shared/desk/things.ts'
import type { Schema } from '#shared/endpoint.ts'
import { failure, isFailure } from '#shared/failures.ts'
import { civilDate, optionalText } from '#shared/forms/fields.ts'
import { checkForm, type Entries } from '#shared/forms/form.ts'
import { euros, parseEuros } from '#shared/money.ts'
import { offerField, offerOf } from '#shared/bookings/offer-form.ts'
import { paths } from '#shared/paths.ts'
import { apart } from '#shared/text/text.ts'
import { historyOf, mailLines, type DeskThings } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import type { BookingAccess } from './access.ts'
import type { BookingActions } from './acts/acts.ts'
import { assertSeen } from './acts/changes.ts'
import { actsOf } from './desk-booking-acts.ts'
import { invoiceLines, openWithdrawals } from './desk-booking-care.ts'
import {
  conflictLines,
  documentLines,
  factsOf,
  isLive,
  priceLines,
  priceTitle,
  withdrawalLines,
} from './desk-booking-facts.ts'
import { visitorByLink } from '../timeline/timeline.ts'
import type { Actor } from './mails/notices.ts'
import { system } from './mails/snapshot.ts'
import type { Booking } from './schema.ts'

/** The page of a booking at the desk, and the links in staff's emails that open it. */
export type BookingAtDesk = DeskThings & {
  /** See `DeskSource.linkTarget`. */
  linkTarget(token: string): string | null
}

/** Makes the page: facts, price, documents and emails, and what can be done in the booking's state. */
export function bookingAtDesk(
  { clock, mails, timeline }: Pick<Platform, 'clock' | 'mails' | 'timeline'>,
  { actions, access }: { actions: BookingActions; access: BookingAccess },
): BookingAtDesk {
  const known = (id: string): Booking | null => {
    try {
      return actions.find(id)
    } catch (error) {
      if (isFailure(error) && error.failure === 'missing') return null
      throw error
    }
  }

  const shown = async (booking: Booking): Promise<DeskThing> => {
    const { reference, name, company } = booking
    const view = await actions.staffView(booking)
    const conflicts = isLive(booking) ? actions.conflicts(booking) : view.conflicts
    return {
      label: `Booking ${reference}`,
      title: `${apart(company ?? name)}, ${daysInWords(booking)}`,
      facts: factsOf({ booking, view }, actions),
      parts: [
        { title: 'Conflicts', lines: conflictLines(conflicts) },
        { title: 'Withdrawals', lines: withdrawalLines(actions.billing.withdrawalsOf(booking)) },
        { title: priceTitle(booking), lines: priceLines(booking) },
        {
          title: 'Invoices and payments',
          lines: documentLines(actions.billing.of(reference), clock()),
        },
        { title: 'Emails', lines: mailLines(mails.of('booking', reference)) },
      ],
      acts: actsOf({ booking, view }, { actions, clock }),
      history: historyOf(timeline, 'booking', reference),
    }
  }

  return {
    name: 'bookings',
    async find(id) {
      const found = known(id)
      if (!found) return null
      // A payment that is on its way would be another booking than the one shown.
      await actions.billing.look(found.reference)
      return shown(actions.find(found.reference))
    },
    act: (id, act, entries, by) =>
      explained(() => perform(actions, actions.find(id), { act, entries, by })),
    ofLink: (token) => (access.isOfStaff(token) ? access.ofStaff(token).reference : null),
    linkTarget: (token) => (access.isOfStaff(token) ? paths.bookingStaff(token) : null),
  }
}

/** Names that the history has for others than staff. */
const othersNames = new Set([system.name, 'visitor', visitorByLink])

/** Who acts, on what they saw. */
const staffOf = (by: string, { sequence }: Booking): Actor => ({
  name: othersNames.has(by.toLowerCase()) ? `${by} (staff)` : by,
  isVisitor: false,
  seen: sequence,
})

/** What was typed for an act. */
type Typed = { act: string; entries: Entries; by: string }

/** Puts someone on a booking. @returns what conflicts with it, in a sentence */
async function assign(
  actions: BookingActions,
  actor: Actor,
  { reference }: Booking,
  person: string,
): Promise<string | undefined> {
  const conflicts = await actions.assign(reference, person, actor)
  if (conflicts.length === 0) return undefined
  return `${actions.personOf(person)} is on this booking. Please check: ${conflicts.join('; ')}.`
}

/** Reads a booking once more, as long as it and its invoices are those that were shown. @throws changed */
function unchanged(actions: BookingActions, { reference }: Booking, actor: Actor): () => Booking {
  const issued = actions.billing.issued(reference)
  return () => {
    const now = actions.find(reference)
    // An invoice or credit note that came between makes the next one another sum than the one that was told.
    const isOther = actions.billing.issued(reference) !== issued
    assertSeen(isOther ? { seen: -1 } : actor, now)
    return now
  }
}

/** The places of the lines that were ticked. @throws invalid for none */
function chosenIn(entries: Entries): number[] {
  const chosen = Object.entries(entries).flatMap(([name, value]) => {
    const [, place] = /^line-([1-9]\d?)$/.exec(name) ?? []
    return place !== undefined && value === 'on' ? [Number(place)] : []
  })
  if (chosen.length > 0) return chosen
  throw failure('invalid', { message: 'Tick at least one line.' })
}

/** The invoice of the chosen lines as it would be issued. */
function previewOf(actions: BookingActions, booking: Booking, lines: number[]): DeskPreview {
  const draft = actions.billing.preview(booking, { lines })
  return {
    act: 'lines',
    label: `Invoice ${euros(draft.total.gross)}`,
    text: invoiceLines(draft).join('\n'),
    entries: {
      ...Object.fromEntries(lines.map((place) => [`line-${place}`, 'on'])),
      isPreviewed: 'on',
    },
  }
}

/** Reads what was typed and does the act. @returns what staff are told once, or what would happen */
async function perform(
  actions: BookingActions,
  booking: Booking,
  { act, entries, by }: Typed,
): Promise<string | { preview: DeskPreview } | undefined> {
  const { reference } = booking
  const actor = staffOf(by, booking)
  switch (act) {
    case 'confirm': {
      const { text } = checked(texts, entries)
      const isByPhone = entries.byPhone === 'on'
      // Its form says what doesn't follow the days.
      await actions.confirm(reference, actor, text ?? null, { isByPhone, keepLines: true })
      return undefined
    }
    case 'offer': {
      const { note } = checked(texts, entries)
      const offer = checked(offerEntries, offerOf(entries), (key) => offerField(key, entries))
      await actions.offer(reference, actor, note ?? null, offer)
      return undefined
    }
    case 'decline':
      await actions.decline(reference, actor, checked(texts, entries).text ?? null)
      return undefined
    case 'cancel': {
      const { because, text, travel } = checked(cancelling, {
        ...entries,
        travel: offerOf(entries).travel,
      })
      await actions.cancel(reference, actor, text ?? null, because, travel)
      return undefined
    }
    case 'move': {
      const { from, to = from } = checked(dates, emptied(entries, ['to']))
      const { lines, keepLines } = checked(offerEntries, offerOf(entries), (key) =>
        offerField(key, entries),
      )
      await actions.move(reference, actor, { from, to }, { lines, keepLines })
      return undefined
    }
    case 'undo':
      await actions.undo(reference, actor)
      return undefined
    case 'assign':
      return assign(actions, actor, booking, entries.person ?? '')
    case 'unassign':
      await actions.unassign(reference, entries.person ?? '', actor)
      return undefined
    case 'note': {
      const { note = '' } = checked(texts, entries)
      const edits = { note, place: undefined, name: undefined }
      await actions.edit(reference, actor, edits, { isQuiet: true })
      return undefined
    }
    case 'edit': {
      const { note: _, ...typed } = entries
      const edits = checked(bookingEdit, emptied(typed, ['email']))
      await actions.edit(reference, actor, edits, { isQuiet: entries.quiet === 'on' })
      return undefined
    }
    case 'billing': {
      const invoices = actions.billing.of(reference).length
      const { sequence } = await actions.setBilling(reference, actor, {
        ...checked(billingFields, entries),
        // Its form shows what is known, so a field that comes back empty was emptied.
        ...clearedBilling(entries),
      })
      if (sequence === booking.sequence && actions.billing.of(reference).length === invoices) {
        throw failure('invalid', { message: 'Nothing would change.' })
      }
      return undefined
    }
    case 'invoice':
    case 'deposit': {
      const asked =
        act === 'deposit'
          ? { deposit: percentOf(entries) }
          : { whole: wholeOf(actions, booking, entries) }
      await actions.billing.invoice(unchanged(actions, booking, actor), {
        ...asked,
        actor: actor.name,
      })
      return undefined
    }
    case 'lines': {
      const lines = chosenIn(entries)
      if (entries.isPreviewed !== 'on') return { preview: previewOf(actions, booking, lines) }
      const asked = { lines, actor: actor.name }
      await actions.billing.invoice(unchanged(actions, booking, actor), asked)
      return undefined
    }
    case 'withdrawal-close': {
      const { withdrawal, reason } = checked(closing, entries)
      const open = openWithdrawals(booking, actions).map(({ id }) => id)
      const id = open.length === 1 ? open[0] : open.find((each) => String(each) === withdrawal)
      if (id === undefined) {
        throw failure('invalid', { errors: { withdrawal: 'Please choose a withdrawal' } })
      }
      await actions.billing.closeWithdrawal(id, reason, actor.name)
      return undefined
    }
    default:
      throw failure('invalid', { message: `A booking has no ${act}.` })
  }
}

const longText = optionalText(bookingLimits.maxMessage)
const texts = z.object({ text: longText, note: longText })
const cancelling = z.object({
  text: longText,
  because: z.enum(cancelReasons, 'Please say who asked for it'),
  travel: z.optional(netAmount),
})
const closing = z.object({
  withdrawal: z.optional(z.string()),
  reason: z.string('Please say why').check(z.trim(), z.minLength(1, 'Please say why')),
})
const dates = z.object({ from: civilDate, to: z.optional(civilDate) })

/** @throws invalid by field */
function checked<Value>(
  schema: Schema<Value>,
  input: unknown,
  nameOf?: (key: string) => string,
): Value {
  const { value, errors } = checkForm(schema, input, nameOf ? { nameOf } : {})
  if (errors) throw failure('invalid', { errors })
  return value
}

/** The entries without those of these names that were left empty. */
const emptied = (entries: Entries, names: readonly string[]): Entries =>
  Object.fromEntries(
    Object.entries(entries).filter(([name, text]) => !names.includes(name) || text.trim() !== ''),
  )

/** What the whole booking costs where staff say so; null for what was agreed. @throws invalid, wrong-state */
function wholeOf(actions: BookingActions, booking: Booking, entries: Entries): number | null {
  if (entries.withoutCredited === 'on') {
    const { wholeWithoutCredited } = actions.billing.preview(booking, {})
    if (wholeWithoutCredited !== null) return wholeWithoutCredited
    throw failure('wrong-state', {
      message: 'Nothing was credited that could be left out of this balance.',
    })
  }
  return entries.whole === undefined ? null : amountOf(entries)
}

/** @throws invalid for what isn't an amount above zero */
function amountOf({ whole = '' }: Entries): number {
  const amount = parseEuros(whole)
  if (amount !== null && amount > 0) return amount
  throw failure('invalid', { errors: { whole: 'Please enter an amount such as 120.00' } })
}

/** @throws invalid for what isn't a share of a price */
function percentOf({ percent = '' }: Entries): number {
  const typed = percent.trim().replace(',', '.')
  if (/^\d{1,2}(?:\.\d)?$/.test(typed) && Number(typed) > 0) return Number(typed)
  throw failure('invalid', {
    errors: { percent: 'Please enter a percentage above 0 and below 100, such as 30' },
  })
}

/** Does an act; days that are taken are refused with those that are free instead. */
async function explained<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (!isFailure(error) || error.failure !== 'taken') throw error
    const nearest = (error.details?.nearest ?? []) as { from: string; to: string }[]
    if (nearest.length === 0) throw error
    const free = nearest.map(({ from, to }) => dateRange(from, to)).join('; ')
    throw failure('taken', {
      message: `${error.message} Available instead: ${free}.`,
      cause: error,
    })
  }
}
