import { datesInWords } from '#shared/booking-dates.ts'
import { linesOn, priceInWords, totalOf } from '#shared/booking-price.ts'
import { cancelReasons, type CancelReason } from '#shared/booking-staff.ts'
import { dateRange, longDate } from '#shared/date-format.ts'
import type { DeskAct, DeskField } from '#shared/desk-things.ts'
import { isFailure } from '#shared/failures.ts'
import { officeTime } from '#shared/helsinki-time.ts'
import { decimal, euros } from '#shared/money.ts'
import { isByDates } from '#shared/sale-units.ts'
import type { BookingActions } from './acts/acts.ts'
import { isPossible } from './acts/changes.ts'
import { undoableUntil } from './acts/undo.ts'
import { countries } from './countries.ts'
import type { Shown } from './desk-booking-facts.ts'
import { depositRule } from './documents.ts'
import type { Booking } from './schema.ts'

/** What the acts of a booking are offered from. */
type Offering = { actions: BookingActions; clock: () => number }

/** What an act's form begins with. */
type Offered = DeskAct | false

/** What staff can do with a booking as it is, the usual thing first; each says what follows from it. */
export function actsOf(shown: Shown, offering: Offering): DeskAct[] {
  const acts: Offered[] = [
    confirm(shown, offering),
    offer(shown),
    decline(shown, offering),
    undo(shown, offering),
    move(shown, offering),
    ...crew(shown, offering),
    ...invoices(shown, offering),
    billing(shown),
    edit(shown),
    {
      act: 'note',
      label: shown.booking.note ? 'Change the internal note' : 'Add an internal note',
      hint: 'For staff and the call sheet; the client never sees it. Without a text it goes.',
      fields: [{ name: 'note', label: 'Note', kind: 'textarea', value: shown.booking.note ?? '' }],
    },
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

/** Lines of a hint, each a paragraph. */
const lines = (...said: (string | false | null)[]): string => said.filter(Boolean).join('\n')

/** When the client hears of a decision that can be undone. */
function heard({ mails }: Booking, { actions }: Offering, isFinal = false): string {
  if (!mails) return 'The client gets no emails about this booking.'
  const { undoMinutes } = actions.rules()
  if (undoMinutes === 0) return 'The client gets an email at once.'
  return `The client’s email goes out after ${undoMinutes} minutes${isFinal ? '' : '; until then you can undo this'}.`
}

function confirm({ booking, view }: Shown, offering: Offering): Offered {
  if (!view.can.confirm) return false
  const { change } = booking
  const priced = change ? linesOn(booking.lines, change) : booking.lines
  const price = priced.length > 0 ? priceInWords(totalOf(priced)) : null
  const percent = change ? null : offering.actions.depositFor(booking)
  const isInvoicedNow = percent !== null && offering.actions.money.missing(booking).length === 0
  return {
    act: 'confirm',
    label: change ? 'Confirm the other dates' : 'Confirm the booking',
    hint: lines(
      change &&
        `Moves it from ${dateRange(booking.from, booking.to)} to ${dateRange(change.from, change.to)}.`,
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
        hint: 'The agreement and the history say so.',
      },
    ],
  }
}

/** Rows of the offer: those that there are, and one more. */
const offerRows = (work: number): number[] =>
  Array.from({ length: Math.min(20, Math.max(2, work + 1)) }, (_, at) => at + 1)

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
      booking.state === 'offered' && 'Replaces the offer that the client has.',
      booking.mails
        ? `The client gets an email at once and accepts or declines by its link${holdsDays ? '; until then the dates are held' : ''}.`
        : 'The client gets no emails about this booking, so hand them the link to their page.',
    ),
    fields: [
      ...offerRows(work.length).flatMap((row): DeskField[] => {
        const line = work[row - 1]
        return [
          { name: `text-${row}`, label: `Line ${row}`, kind: 'text', value: line?.text ?? '' },
          {
            name: `quantity-${row}`,
            label: `Quantity of line ${row}`,
            kind: 'number',
            value: line ? String(line.quantity) : '',
          },
          {
            name: `price-${row}`,
            label: `Price each of line ${row}`,
            kind: 'number',
            value: line ? decimal(line.price) : '',
          },
        ]
      }),
      { name: 'travel', label: 'Travel', kind: 'number', value: net('travel') },
      { name: 'discount', label: 'Discount', kind: 'number', value: net('discount') },
      ...dateFields(booking, false),
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
  },
  ...(isByDates(unit)
    ? [{ name: 'to', label: 'Last day', kind: 'date' as const, value: to, required }]
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
        : state !== 'quarantined' && 'Frees its dates.',
      state === 'quarantined' ? 'The client doesn’t hear of it.' : heard(booking, offering),
    ),
    isDanger: true,
    fields: [{ ...messageField, label: 'Reason' }],
  }
}

function undo({ booking }: Shown, { actions, clock }: Offering): Offered {
  const until = undoableUntil(booking, actions.money, clock())
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
  return {
    act: 'move',
    label: isByDates(unit) ? 'Move to other dates' : 'Move the start',
    hint: lines(
      state === 'confirmed'
        ? 'The new dates count at once, as agreed with the client.'
        : isByDates(unit) && 'Holds the new dates in place of the old ones.',
      isByDates(unit) && 'What is priced by the day follows the number of days.',
      change && 'The other dates that the client asks for are dropped.',
      heard(booking, offering),
    ),
    fields: dateFields(booking, true),
  }
}

function crew({ booking, view }: Shown, { actions }: Offering): Offered[] {
  if (!['requested', 'offered', 'confirmed'].includes(booking.state)) return []
  const members = actions.rules().crew
  const field = (names: readonly string[]): DeskField => ({
    name: 'person',
    label: 'Crew member',
    kind: 'select',
    required: true,
    options: names.map((name) => ({ value: name, label: name })),
  })
  const away = members.map(({ name }) => name).filter((name) => !view.crew.includes(name))
  const on = view.crew.filter((name) => members.some((member) => member.name === name))
  const hint = 'They get an email at once if we know their address.'
  return [
    away.length > 0 && {
      act: 'assign',
      label: 'Assign crew',
      hint: `${hint} Conflicts are shown afterwards and stop nothing.`,
      fields: [field(away)],
    },
    on.length > 0 && { act: 'unassign', label: 'Unassign crew', hint, fields: [field(on)] },
  ]
}

/** The next invoice as it would be; null where there is none to issue. */
function previewed({ booking }: Shown, { actions }: Offering, deposit: number | null) {
  try {
    return actions.money.preview(booking, { whole: null, deposit, lines: null })
  } catch (error) {
    if (isFailure(error)) return null
    throw error
  }
}

/** Per cent that the form for a deposit begins with where none was agreed. */
const usualDeposit = 30

function invoices(shown: Shown, offering: Offering): Offered[] {
  const { booking, view } = shown
  if (booking.state !== 'confirmed' || view.missing.length > 0) return []
  const hint = 'Issues the invoice and emails it to the client; taking it back needs a credit note.'
  if (booking.lines.length === 0 && view.documents.length === 0) {
    return [
      {
        act: 'invoice',
        label: 'Invoice the booking',
        hint,
        fields: [
          {
            name: 'whole',
            label: 'Price of the whole booking incl. VAT',
            kind: 'number',
            required: true,
          },
        ],
      },
    ]
  }
  const percent = booking.agreement?.deposit ?? usualDeposit
  const next = previewed(shown, offering, null)
  const isDeposit = previewed(shown, offering, percent) !== null
  return [
    next !== null && {
      act: 'invoice',
      label: `Invoice ${next.part === 'rest' ? 'the balance of ' : ''}${euros(next.total.gross)}`,
      hint: lines(
        ...next.lines.map(({ title, total }) => `${title}: ${euros(total)} incl. VAT`),
        `Total: ${priceInWords(next.total)}, due ${longDate(next.dueOn)}.`,
        hint,
      ),
      fields: [],
    },
    isDeposit && {
      act: 'deposit',
      label: 'Invoice a deposit',
      hint,
      fields: [
        {
          name: 'percent',
          label: 'Per cent of the price',
          kind: 'number',
          value: String(percent),
          required: true,
        },
      ],
    },
  ]
}

function billing({ booking, view }: Shown): Offered {
  if (view.countries.length === 0) return false
  const { company, vatId, street, postcode, city, country } = booking
  const field = (name: string, label: string, value: string | null): DeskField => ({
    name,
    label,
    kind: 'text',
    value: value ?? '',
  })
  return {
    act: 'billing',
    label: 'Set the billing details',
    hint: lines(
      'VAT follows them; the net prices stay. An empty field leaves what is known.',
      (booking.agreement?.deposit ?? null) !== null &&
        view.documents.length === 0 &&
        view.missing.length > 0 &&
        'Once nothing is missing, the deposit is invoiced.',
      booking.fee !== null && 'Once nothing is missing, the cancellation fee is invoiced.',
    ),
    fields: [
      field('company', 'Company', company),
      {
        name: 'country',
        label: 'Country',
        kind: 'select',
        value: country ?? '',
        options: [
          { value: '', label: 'Not known' },
          ...countries.map(({ code, name }) => ({ value: code, label: name })),
        ],
      },
      field('vatId', 'VAT ID', vatId),
      field('street', 'Street', street),
      field('postcode', 'Postal code', postcode),
      field('city', 'Town', city),
    ],
  }
}

function edit({ booking }: Shown): Offered {
  if (!['requested', 'offered', 'confirmed', 'quarantined'].includes(booking.state)) return false
  const { unit, place, start, end, scope, budget, name, email, phone, mails } = booking
  const time = (field: 'start' | 'end', label: string, value: string | null): DeskField => ({
    name: field,
    label,
    kind: 'text',
    value: value ?? '',
    hint: 'HH:MM, on each day.',
  })
  return {
    act: 'edit',
    label: 'Correct place, times or contact',
    hint: mails
      ? 'The client gets an email about another place or time, and about nothing else.'
      : '',
    fields: [
      { name: 'place', label: 'Place', kind: 'text', value: place },
      ...(isByDates(unit)
        ? [time('start', 'From', start), time('end', 'Until', end)]
        : ([
            { name: 'scope', label: 'Scope', kind: 'textarea', value: scope ?? '' },
            { name: 'budget', label: 'Budget', kind: 'text', value: budget ?? '' },
          ] satisfies DeskField[])),
      { name: 'name', label: 'Name', kind: 'text', value: name, required: true },
      { name: 'email', label: 'Email', kind: 'email', value: email },
      { name: 'phone', label: 'Phone', kind: 'text', value: phone ?? '' },
      ...(mails
        ? [{ name: 'quiet', label: 'Don’t email the client', kind: 'check' as const }]
        : []),
    ],
  }
}

const reasons: Readonly<Record<CancelReason, string>> = {
  customer: 'At the client’s request',
  organiser: 'The organiser cancelled the event',
  us: 'We can’t do it',
}

function cancel({ booking, view }: Shown): Offered {
  if (!view.can.cancel) return false
  return {
    act: 'cancel',
    label: 'Cancel the booking',
    hint: lines(
      ...cancelReasons.map(
        (because) => `${reasons[because]}: ${view.cancellingBecause[because].join(' ')}`,
      ),
      `Frees the dates${booking.mails ? ' and emails the client' : ''} at once. It can’t be undone.`,
    ),
    isDanger: true,
    fields: [
      {
        name: 'because',
        label: 'Why',
        kind: 'select',
        required: true,
        options: cancelReasons.map((because) => ({ value: because, label: reasons[because] })),
      },
      messageField,
    ],
  }
}
