import { hash } from 'node:crypto'
import type { BankEntry } from './bank-entry.ts'
import { readCamt } from './bank-camt.ts'
import { readBankCsv } from './bank-csv.ts'

/** A transfer with the name under which it is recorded once. */
export type BankPayment = BankEntry & { readonly source: string }

/** The largest file that is read: many years of statements. */
export const bankFileMost = 50 * 1024 * 1024

/**
 * Reads a bank statement: camt.053 (ISO 20022, XML), or the CSV of the Finnish banks.
 * @returns every transfer in the order of the file, those that were paid out, too
 * @throws an Error that names the line when anything cannot be read; nothing of such a file counts
 */
export function readBankFile(bytes: Buffer): BankPayment[] {
  const text = textOf(bytes)
  const entries = /^\s*</.test(text) ? readCamt(text) : readBankCsv(text)
  const seen = new Map<string, number>()
  return entries.map((entry) => {
    const { paidOn, amount, reference, payer, archiveId } = entry
    if (archiveId !== null) {
      // One booking of a bank may hold several transfers.
      return { ...entry, source: numbered(`bank/${archiveId}/${amount}/${reference ?? ''}`) }
    }
    const content = hash('sha256', JSON.stringify([paidOn, amount, reference, payer]), 'base64url')
    return { ...entry, source: numbered(`bank/${content}`) }
  })

  /** Equal transfers of one file are several; those of two files are the same ones. */
  function numbered(name: string): string {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name}/${count}`
  }
}

/** Banks write UTF-8, UTF-16 or Windows-1252. */
function textOf(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
