import type { BankEntry } from './entry.ts'
import { readCamt } from './camt.ts'
import { readBankCsv } from './csv.ts'

/** The largest file that is read: many years of statements. */
export const maxBankFileBytes = 50 * 1024 * 1024

/**
 * Reads a bank statement: camt.053 or camt.054 (ISO 20022, XML), or the CSV of the Finnish banks.
 * @returns every row in the order of the file, those that pay nothing or can't be read, too
 * @throws an Error that names the line where it isn't a bank's file, or none of its rows can be read
 */
export function readBankFile(bytes: Buffer): BankEntry[] {
  const text = textOf(bytes)
  const entries = /^\s*</.test(text) ? readCamt(text) : readBankCsv(text)
  const [first] = entries
  if (first && entries.every(({ skipped }) => skipped === 'unread')) {
    throw new Error(`Line ${first.line}: ${first.fault}.`)
  }
  return entries
}

/** Banks write UTF-8, UTF-16 or Windows-1252. */
function textOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
