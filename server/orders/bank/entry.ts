import { civilDate, dateAt } from '#shared/dates/civil-dates.ts'
import { parseEuros } from '#shared/money.ts'
import { nationalReference, plainReference } from '../documents/reference-number.ts'

/**
 * Why a row of a statement pays nothing: it isn't booked yet, it is in another currency, money went
 * out, it takes an earlier booking back, it isn't money at all, or it can't be read for certain.
 */
export type SkipReason = 'pending' | 'foreign' | 'out' | 'reversed' | 'zero' | 'unread'

/** A row of a bank statement. */
export type BankEntry = {
  /** The line of the file that it begins in. */
  readonly line: number
  /** Civil date on which it was booked; empty while it is not. */
  readonly paidOn: string
  /** Hundredths of its currency; negative for what was paid out. */
  readonly amount: number
  /** ISO 4217, `EUR` where the file names none; only euros pay anything. */
  readonly currency: string
  /** National reference number without spaces and leading zeros; null where there is none. */
  readonly reference: string | null
  readonly payer: string
  /** What the payer wrote; empty for nothing. */
  readonly message: string
  /** The payer's IBAN; null where the file has none. */
  readonly account: string | null
  /** The bank's own number of the transfer; null where the file has none. */
  readonly archiveId: string | null
  /** Null for money that came in. */
  readonly skipped: SkipReason | null
  /** Why a row is unread, as the end of a sentence; null for all others. */
  readonly fault: string | null
}

/** A row that can't be read for certain, which staff look up by its line. */
export const unreadEntry = (line: number, fault: string): BankEntry => ({
  line,
  paidOn: '',
  amount: 0,
  currency: 'EUR',
  reference: null,
  payer: '',
  message: '',
  account: null,
  archiveId: null,
  skipped: 'unread',
  fault,
})

/**
 * The day of an ISO 8601 date, of which some banks write the time as well; where that names its zone,
 * the day in Finland. Null for every other text.
 */
export function bookingDay(text: string): string | null {
  const [, date, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.exec(
      text,
    ) ?? []
  if (!date || !time || !zone || civilDate(date) === null) return civilDate(date ?? '')
  const at = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? null : dateAt(at)
}

/**
 * An amount in hundredths of its currency, as banks write it: `1 234,50`, `1'234.50`, `+89,00`,
 * `-12.30`, `−5,00`, `5,00-`, with or without € or EUR. Where three digits may be decimals or part
 * thousands, the currency decides; no amount in euros has three decimals.
 * @returns null for what isn't an amount, or could be two
 */
export function hundredthsIn(text: string, currency: string): number | null {
  const bare = text
    .replaceAll(/\s|€|EUR/g, '')
    .replaceAll(/[\u2212\u2013]/g, '-')
    .replace(/^[+']+/, '')
  const sign = /^[^-]+-$/.test(bare) ? '-' : ''
  const number = sign + (sign ? bare.slice(0, -1) : bare.replace(/\+$/, ''))
  const isParted =
    /^-?\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(number) ||
    /^-?\d{1,3}(?:,\d{3})+\.\d{1,2}$/.test(number) ||
    /^-?\d{1,3}(?:['’]\d{3})+(?:[.,]\d{1,2})?$/.test(number)
  // What parts thousands comes first, and the decimals are the last two digits or one.
  if (isParted) return parseEuros(number.replaceAll(/['’.,](?=\d{3})/g, ''))
  if (/^-?\d{1,12}[.,]\d{3}$/.test(number) && decimalsOf(currency) === 3) {
    return Math.round(Number(number.replace(',', '.')) * 100)
  }
  return parseEuros(number)
}

/** How many decimals a currency has, two where it isn't one. */
function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

/** A reference number, national or RF, where a cell holds nothing else; a word before it may say so. */
export function referenceIn(cell: string): string | null {
  const bare = cell
    .replace(/^(?:viite(?:numero)?|ref(?:erence)?)\s*[:.=]?\s*/i, '')
    .replace(/^'/, '')
  if (/^RF/i.test(bare)) return nationalReference(bare)
  const digits = plainReference(bare)
  return /^\d{4,20}$/.test(digits) ? digits : null
}

/** The bank's number of a transfer: some banks put it in apostrophes, for spreadsheets, and in camt.053 not. */
export const archiveIdIn = (cell: string): string => cell.replaceAll(/['’\s]/g, '')

/** The currency of a row. @param given as the file has it; empty for euros */
export function currencyOf(given: string): string {
  const code = given.trim().toUpperCase()
  return code === '' || code === '€' ? 'EUR' : code
}

/** Whether a row pays something, as far as its own columns tell. */
export function skipReason({
  amount,
  currency,
  isPending,
  isReversal = false,
}: {
  amount: number
  /** As {@link currencyOf} gives it. */
  currency: string
  isPending: boolean
  /** Whether it takes an earlier booking back: an outgoing one, or a payment. */
  isReversal?: boolean
}): SkipReason | null {
  if (isPending) return 'pending'
  if (isReversal) return 'reversed'
  if (currency !== 'EUR') return 'foreign'
  if (amount === 0) return 'zero'
  return amount < 0 ? 'out' : null
}

/** An IBAN without spaces, if a text is one (ISO 13616); null for every other text. */
export function ibanIn(text: string): string | null {
  const iban = text.replaceAll(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  return BigInt(digits) % 97n === 1n ? iban : null
}
