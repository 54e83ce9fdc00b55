import { nationalReference, plainReference } from '../documents/reference-number.ts'

/**
 * Why a row of a statement pays nothing: it isn't booked yet, it is in another currency, money went
 * out, or it isn't money at all.
 */
export type SkipReason = 'pending' | 'foreign' | 'out' | 'zero'

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
}: {
  amount: number
  /** As {@link currencyOf} gives it. */
  currency: string
  isPending: boolean
}): SkipReason | null {
  if (isPending) return 'pending'
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
