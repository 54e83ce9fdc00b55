import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { linesOn, priceInWords, totalOf, type BookingLine } from '#shared/bookings/price.ts'
import { cancelReasons } from '#shared/bookings/staff-page.ts'
import { cancelReasonTexts, lostTravelLabel } from '#shared/bookings/page-texts.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import type { DeskAct, DeskField } from '#shared/desk/things.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { decimal } from '#shared/money.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { isPossible } from './acts/changes.ts'
import { staleLines } from './acts/own-lines.ts'
import { undoableUntil } from './acts/undo.ts'
import { careOf } from './desk-booking-care.ts'
import type { Shown } from './desk-booking-facts.ts'
import { heard, lines, type Offered, type Offering } from './desk-booking-forms.ts'
import { depositRule } from './documents.ts'
import type { Booking } from './schema.ts'

/** What staff can do with a booking as it is, the usual thing first; each says what follows from it. */
export function actsOf(shown: Shown, offering: Offering): DeskAct[] {
  const answers = [confirm(shown, offering), offer(shown)]
  const acts: Offered[] = [
    // An offer that is out is changed by us, and mostly answered by its client.
    ...(shown.booking.state === 'offered' ? answers.toReversed() : answers),
    decline(shown, offering),
    undo(shown, offering),
    move(shown, offering),
    ...careOf(shown, offering),
    cancel(shown),
  ]
  return acts.filter((act) => act !== false)
}

const messageField: DeskField = {
  name: 'text',
  label: 'Message to the client',
  kind: 'textarea',
  hint: 'Added to our standard email.',
}

function confirm({ booking, view }: Shown, offering: Offering): Offered {
  const isOffered = booking.state === 'offered'
  if (!view.can.confirm && !isOffered) return false
  const { change } = booking
  const priced = change ? linesOn(booking.lines, change) : booking.lines
  const price = priced.length > 0 ? priceInWords(totalOf(priced)) : null
  const percent = change ? null : offering.actions.depositFor(booking)
  const isInvoicedNow = percent !== null && offering.actions.billing.missing(booking).length === 0
  return {
    act: 'confirm',
    label: isOffered
      ? 'Confirm as agreed by phone'
      : change
        ? 'Confirm the other dates'
        : 'Confirm the booking',
    hint: lines(
      isOffered && 'For a client who accepts our offer by phone instead of by the link.',
      change &&
        `Moves it from ${dateRange(booking.from, booking.to)} to ${dateRange(change.from, change.to)}.`,
      change && staleLines(booking, change),
      price ? `Agreed at ${price}.` : 'It has no price yet, so none is agreed.',
      ...depositRule(percent, priced),
      percent !== null && !isInvoicedNow && 'That invoice waits for the billing details.',
      heard(booking, offering, isInvoicedNow),
    ),
    fields: [
      messageField,
      {
        name: 'byPhone',
        label: 'The client agreed by phone',
        kind: 'check',
        ...(isOffered && { required: true }),
        hint: 'The agreement and the history say so.',
      },
    ],
  }
}

/** Rows of the offer: those that there are, and one more. */
const offerRows = (work: number): number[] =>
  Array.from({ length: Math.min(20, Math.max(2, work + 1)) }, (_, at) => at + 1)

/** What staff tick where lines that were typed are to cost the same on more days, or on fewer. */
const keepLinesField: DeskField = {
  name: 'keepLines',
  label: 'The lines keep their price',
  kind: 'check',
  hint: 'Needed where the number of days changes and the lines don’t.',
}

const workFields = (work: readonly BookingLine[]): DeskField[] =>
  offerRows(work.length).flatMap((number): DeskField[] => {
    const line = work[number - 1]
    const row = `Line ${number}`
    return [
      { name: `text-${number}`, label: 'Work', kind: 'text', value: line?.text ?? '', row },
      {
        name: `quantity-${number}`,
        label: 'Quantity',
        kind: 'number',
        row,
        value: line ? String(line.quantity) : '',
      },
      {
        name: `price-${number}`,
        label: 'Price each',
        kind: 'number',
        row,
        value: line ? decimal(line.price) : '',
      },
    ]
  })

function offer({ booking, view }: Shown): Offered {
  if (!view.can.offer) return false
  const work = booking.lines.filter(({ kind }) => kind === 'service')
  const net = (kind: 'travel' | 'discount') => {
    const found = booking.lines.find((line) => line.kind === kind)
    return found ? decimal(Math.abs(found.net)) : ''
  }
  const holdsDays = isByDates(booking.unit)
  return {
    act: 'offer',
    label: booking.state === 'offered' ? 'Change the offer' : 'Make an offer',
    hint: lines(
      'Net prices in euros.',
      booking.unit === 'day' && 'Quantities count as typed, on other dates too.',
      booking.state === 'offered' && 'Replaces the offer that the client has.',
      booking.mails
        ? `The client gets an email at once and accepts or declines by its link${holdsDays ? '; until then the dates are held' : ''}.`
        : 'The client gets no emails about this booking, so hand them the link to their page.',
    ),
    fields: [
      ...workFields(work),
      {
        name: 'travel',
        label: 'Travel',
        kind: 'number',
        value: net('travel'),
        row: 'Travel and discount',
      },
      {
        name: 'discount',
        label: 'Discount',
        kind: 'number',
        value: net('discount'),
        row: 'Travel and discount',
      },
      ...dateFields(booking, false),
      ...(booking.unit === 'day' ? [keepLinesField] : []),
      {
        name: 'validUntil',
        label: 'Open until',
        kind: 'date',
        value: view.offerUntil,
        hint: 'The last day to accept it.',
      },
      { name: 'note', label: 'Note to the client', kind: 'textarea' },
    ],
  }
}

const dateFields = ({ unit, from, to }: Booking, required: boolean): DeskField[] => [
  {
    name: 'from',
    label: isByDates(unit) ? 'First day' : 'Start',
    kind: 'date',
    value: from,
    required,
    row: 'Dates',
  },
  ...(isByDates(unit)
    ? [{ name: 'to', label: 'Last day', kind: 'date' as const, value: to, required, row: 'Dates' }]
    : []),
]

function decline({ booking, view }: Shown, offering: Offering): Offered {
  if (!view.can.decline) return false
  const { change, from, to, state } = booking
  return {
    act: 'decline',
    label: change ? 'Decline the other dates' : 'Decline the booking',
    hint: lines(
      change
        ? `It stays on ${dateRange(from, to)}.`
        : state !== 'quarantined' && 'Releases its dates.',
      state === 'quarantined' ? 'The client isn’t told.' : heard(booking, offering),
    ),
    isDanger: true,
    fields: [{ ...messageField, label: 'Reason' }],
  }
}

function undo({ booking }: Shown, { actions, clock }: Offering): Offered {
  const until = undoableUntil(booking, actions.billing, clock())
  if (until === null) return false
  const { state, from, to } = booking.undo!.was
  return {
    act: 'undo',
    label: 'Undo the last decision',
    hint: `It’s ${state} again, on ${datesInWords({ ...booking, from, to })}. The client’s email isn’t sent. Possible until ${officeTime(until)}.`,
    fields: [],
  }
}

function move({ booking }: Shown, offering: Offering): Offered {
  const { state, change, unit } = booking
  if (!isPossible('move', state)) return false
  const work = booking.lines.filter(({ kind }) => kind === 'service')
  const isByHand = unit === 'day' && work.some((line) => line.unit !== 'day')
  return {
    act: 'move',
    label: isByDates(unit) ? 'Move to other dates' : 'Move the start',
    hint: lines(
      state === 'confirmed'
        ? 'The new dates count at once, as agreed with the client.'
        : isByDates(unit) && 'Holds the new dates in place of the old ones.',
      isByHand
        ? 'Its lines were entered by hand and don’t follow the number of days.'
        : isByDates(unit) && 'Day rates follow the number of days.',
      change && 'The other dates the client asked for are dropped.',
      heard(booking, offering),
    ),
    fields: [
      ...dateFields(booking, true),
      ...(isByHand ? [...workFields(work), keepLinesField] : []),
    ],
  }
}

function cancel({ booking, view }: Shown): Offered {
  if (!view.can.cancel) return false
  return {
    act: 'cancel',
    label: 'Cancel the booking',
    hint: lines(
      ...cancelReasons.map(
        (because) => `${cancelReasonTexts[because]}: ${view.cancellingBecause[because].join(' ')}`,
      ),
      `Releases the dates${booking.mails ? ' and emails the client' : ''} at once. This can’t be undone.`,
    ),
    isDanger: true,
    fields: [
      {
        name: 'because',
        label: 'Why',
        kind: 'select',
        required: true,
        options: cancelReasons.map((because) => ({
          value: because,
          label: cancelReasonTexts[because],
        })),
      },
      ...(booking.lines.some(({ kind }) => kind === 'travel')
        ? [{ name: 'travel', label: lostTravelLabel, kind: 'number' as const }]
        : []),
      messageField,
    ],
  }
}
