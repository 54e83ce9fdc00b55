import { nationalReference, plainReference } from './reference-number.ts'

/** A transfer of a bank statement. */
export type BankEntry = {
  /** The line of the file that it begins in. */
  readonly line: number
  /** Civil date on which it was booked. */
  readonly paidOn: string
  /** Cents; negative for what was paid out. */
  readonly amount: number
  /** National reference number without spaces and leading zeros; null where there is none. */
  readonly reference: string | null
  readonly payer: string
  /** The bank's own number of the transfer; null where the file has none. */
  readonly archiveId: string | null
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
