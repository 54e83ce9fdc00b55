import { cancellationInWords } from '#shared/bookings/cancellation.ts'
import { isStartingPrice, totalOf } from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { euros } from '#shared/money.ts'
import { html, type Markup } from '../../text/markup.ts'
import { dataTable } from '../../mail/tables.ts'
import { depositOf } from '../acts/changes.ts'
import { agreedRules, depositNow, depositRule, nameOf } from '../documents.ts'
import type { Agreement, Booking } from '../schema.ts'

/** What a booking costs, as a table of an email, with travel where it is still to be quoted. */
export function priceTable(booking: Booking): Markup[] {
  const { lines, unit, agreement, offer } = booking
  if (lines.length === 0) return []
  const { net, vat, gross } = totalOf(lines)
  const isOpen = isByDates(unit) && !agreement && !offer
  const rate = lines[0]!.rate
  return [
    dataTable(
      ['Price', 'Net'],
      [
        ...lines.map((line) => [nameOf(line), euros(line.net)]),
        ...(isOpen ? [['Travel', 'quoted']] : []),
        [vat === 0 ? 'No VAT' : `VAT ${rate} %`, euros(vat)],
        [
          'Total',
          `${isStartingPrice(booking) ? 'from ' : ''}${vat === 0 ? euros(gross) : `${euros(net)} + VAT: ${euros(gross)}`}`,
        ],
      ],
      { right: [1], total: true },
    ),
  ]
}

/** The rules that accepting an offer agrees to, as small print of its email. */
export function offerRulesInMail({ conditions, lines, unit }: Booking): Markup[] {
  if (!conditions) return []
  return [
    ...depositRule(depositOf(conditions, lines), lines),
    ...cancellationInWords(conditions.cancellation, unit),
  ].map((rule) => html`<p style="margin:0 0 8px">${rule}</p>`)
}

/** The rules as small print of an email, with what has become of the deposit. @param about as of `agreedRules` */
export const rulesInMail = (
  agreement: Agreement,
  about: Omit<Parameters<typeof agreedRules>[1], 'deposit'>,
): Markup[] =>
  agreedRules(agreement, { ...about, deposit: depositNow(agreement, about.invoices) }).map(
    (rule) => html`<p style="margin:0 0 8px">${rule}</p>`,
  )
