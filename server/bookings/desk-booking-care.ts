import { countInWords, priceInWords } from '#shared/bookings/price.ts'
import { longDate } from '#shared/dates/date-format.ts'
import type { DeskAct, DeskField } from '#shared/desk/things.ts'
import { isFailure } from '#shared/failures.ts'
import { creditedAgain } from '#shared/bookings/invoice-parts.ts'
import { euros } from '#shared/money.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { cityOf } from '#shared/dates/zones.ts'
import type { BookingActions } from './acts/acts.ts'
import { countries } from './countries.ts'
import { isLive, type Shown } from './desk-booking-facts.ts'
import { lines, type Offered, type Offering } from './desk-booking-forms.ts'

/** What staff do for a booking once it is decided on, or before: its crew, its invoices, its facts. */
export const careOf = (shown: Shown, offering: Offering): Offered[] => [
  ...crew(shown, offering),
  ...invoices(shown, offering),
  billing(shown),
  edit(shown),
  note(shown),
  closeWithdrawal(shown, offering),
]

/** Withdrawals that name the booking and that staff haven't dealt with; those from an invoice are its order's. */
export const openWithdrawals = (
  booking: Shown['booking'],
  { billing: { withdrawalsOf } }: Pick<BookingActions, 'billing'>,
) => withdrawalsOf(booking).filter(({ order, isOver }) => order === null && !isOver)

function closeWithdrawal({ booking }: Shown, { actions }: Offering): Offered {
  const open = openWithdrawals(booking, actions)
  if (open.length === 0) return false
  return {
    act: 'withdrawal-close',
    label: 'Close the withdrawal',
    hint: 'Once you’ve answered it and settled the booking: it isn’t due any more, and the invoices are reminded of again. The client gets no email.',
    isDanger: true,
    fields: [
      ...(open.length > 1
        ? [
            {
              name: 'withdrawal',
              label: 'Withdrawal',
              kind: 'select' as const,
              required: true,
              options: open.map(({ id }) => ({ value: String(id), label: String(id) })),
            },
          ]
        : []),
      { name: 'reason', label: 'Reason', kind: 'text', required: true },
    ],
  }
}

const note = ({ booking }: Shown): DeskAct => ({
  act: 'note',
  label: booking.note ? 'Change the internal note' : 'Add an internal note',
  hint: 'For staff and the call sheet; the client never sees it. Leave it empty to remove it.',
  fields: [{ name: 'note', label: 'Note', kind: 'textarea', value: booking.note ?? '' }],
})

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
  const hint = 'They get an email at once if we know their address.'
  return [
    away.length > 0 && {
      act: 'assign',
      label: 'Assign crew',
      hint: `${hint} Conflicts are shown afterwards but don’t block it.`,
      fields: [field(away)],
    },
    view.crew.length > 0 && {
      act: 'unassign',
      label: 'Unassign crew',
      hint,
      fields: [field(view.crew)],
    },
  ]
}

/** The next invoice as it would be; null where there is none to issue. */
function previewed({ booking }: Shown, { actions }: Offering, deposit: number | null) {
  try {
    return actions.billing.preview(booking, { whole: null, deposit, lines: null })
  } catch (error) {
    if (isFailure(error)) return null
    throw error
  }
}

/** An invoice that isn't issued yet: what is on it, what it comes to, and when it is due. */
export const invoiceLines = ({
  lines: drafted,
  total,
  dueOn,
}: Pick<
  ReturnType<BookingActions['billing']['preview']>,
  'lines' | 'total' | 'dueOn'
>): string[] => [
  ...drafted.map((line) => `${line.title}: ${euros(line.total)} incl. VAT`),
  `Total: ${priceInWords(total)}, due ${longDate(dueOn)}.`,
]

/** Choosing lines for an invoice of their own, while some are left that no invoice has. */
function chosenLines({ booking }: Shown, { actions }: Offering): Offered {
  if (booking.lines.length < 2) return false
  const fields = booking.lines.flatMap((line, at): DeskField[] => {
    try {
      const { total } = actions.billing.preview(booking, { lines: [at + 1] })
      return [
        {
          name: `line-${at + 1}`,
          label: [line.text, countInWords(line)].filter(Boolean).join(', '),
          kind: 'check',
          hint: `${euros(total.gross)} incl. VAT`,
        },
      ]
    } catch (error) {
      if (isFailure(error)) return []
      throw error
    }
  })
  if (fields.length === 0) return false
  return {
    act: 'lines',
    label: 'Invoice chosen lines',
    hint: 'You see the invoice before it is issued. The other lines can be invoiced later.',
    fields,
  }
}

/** Per cent that the form for a deposit begins with where none was agreed. */
const defaultDeposit = 30

function invoices(shown: Shown, offering: Offering): Offered[] {
  const { booking, view } = shown
  if (booking.state !== 'confirmed' || view.missing.length > 0) return []
  const hint = `Issues the invoice${booking.email ? ' and emails it to the client' : '; without an email address it’s yours to hand over'}. Taking it back needs a credit note.`
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
  const percent = booking.agreement?.deposit ?? defaultDeposit
  const next = previewed(shown, offering, null)
  const isDeposit = previewed(shown, offering, percent) !== null
  return [
    next !== null && {
      act: 'invoice',
      label: `Invoice ${next.part === 'rest' ? 'the balance of ' : ''}${euros(next.total.gross)}`,
      hint: lines(...invoiceLines(next), next.credited > 0 && creditedAgain(next.credited), hint),
      fields:
        next.wholeWithoutCredited === null
          ? []
          : [
              {
                name: 'withoutCredited',
                label: `Leave out the ${euros(next.credited)} that was credited`,
                kind: 'check',
                hint: `The balance is then ${euros(next.total.gross - next.credited)}, and the whole booking ${euros(next.wholeWithoutCredited)}.`,
              },
            ],
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
    chosenLines(shown, offering),
  ]
}

function billing({ booking, view }: Shown): Offered {
  if (view.countries.length === 0) return false
  const { company, vatId, street, postcode, city, region, country } = booking
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
      'VAT follows them; the net prices stay. A field you empty is cleared.',
      (booking.agreement?.deposit ?? null) !== null &&
        view.documents.length === 0 &&
        view.missing.length > 0 &&
        'Once nothing is missing, the deposit is invoiced.',
      booking.fee !== null &&
        `Once nothing is missing, the ${booking.fee.isTravel ? 'travel costs are' : 'cancellation fee is'} invoiced.`,
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
          ...countries().map(({ code, name }) => ({ value: code, label: name })),
        ],
      },
      field('vatId', 'VAT ID', vatId),
      field('street', 'Street', street),
      { ...field('postcode', 'Postal code', postcode), row: 'Postal code and town' },
      { ...field('city', 'Town', city), row: 'Postal code and town' },
      {
        ...field('region', 'State or province', region),
        hint: 'United States and Canada only.',
      },
    ],
  }
}

function edit({ booking }: Shown): Offered {
  if (!isLive(booking)) return false
  const { unit, place, start, end, zone, scope, budget, name, email, phone, mails } = booking
  const time = (field: 'start' | 'end', label: string, value: string | null): DeskField => ({
    name: field,
    label,
    kind: 'text',
    value: value ?? '',
    row: 'Hours on each day',
    hint: `HH:MM, ${cityOf(zone)} time`,
  })
  return {
    act: 'edit',
    label: 'Correct place, times or contact',
    hint: mails
      ? 'The client gets an email about another place or time, and about nothing else. The crew hear of all but the email address.'
      : 'The crew hear of all but the email address.',
    fields: [
      { name: 'place', label: 'Place', kind: 'text', value: place },
      ...(isByDates(unit)
        ? [time('start', 'Start time', start), time('end', 'End time', end)]
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
