import * as z from 'zod'
import { shortened } from '#shared/text/text.ts'
import { library } from '../../library.ts'
import {
  type BankEntry,
  bookingDay,
  currencyOf,
  ibanIn,
  referenceIn,
  skipReason,
  unreadEntry,
} from './entry.ts'

const xmlLibrary = library('fast-xml-parser')

/** Elements that may be there many times, so that one of them is a list, too. */
const lists = new Set(['Stmt', 'Ntfctn', 'Ntry', 'NtryDtls', 'TxDtls', 'Strd', 'Ustrd'])

const text = z.string().max(500)

/** A part that may be left out, or be there with nothing in it, which the parser reads as an empty text. */
const sparse = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

const amount = z
  .object({ '#text': z.string(), '@Ccy': z.string('the currency is missing').max(3) })
  .transform(({ '#text': written, '@Ccy': ccy }, context) => {
    const currency = currencyOf(ccy)
    const cents = hundredthsOf(written, currency)
    if (typeof cents === 'number') return { cents, currency }
    context.addIssue({ code: 'custom', message: cents })
    return z.NEVER
  })

/** An amount in hundredths of its currency, or what is wrong with it. */
function hundredthsOf(written: string, currency: string): number | string {
  if (/^-\d/.test(written)) return 'the amount is negative'
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,17}))?$/.exec(written) ?? []
  if (!whole) return 'the amount isn’t a number'
  const exact = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  // Some banks write more decimals than there are; other currencies have more, and pay nothing.
  const rest = decimals.slice(2)
  if (!/[1-9]/.test(rest)) return exact
  return currency === 'EUR' ? 'the amount has parts of a cent' : exact + (rest[0]! >= '5' ? 1 : 0)
}

const day = z
  .union([z.object({ Dt: text }), z.object({ DtTm: text })], 'the booking date is missing')
  .transform((date) => bookingDay('Dt' in date ? date.Dt : date.DtTm))
  .refine((date): date is string => date !== null, 'the booking date is not a valid date')

const direction = z.enum(['CRDT', 'DBIT'], 'it is neither credit nor debit')

const party = z.object({ Nm: text.optional(), Pty: sparse(z.object({ Nm: text.optional() })) })

const details = z.object({
  Refs: sparse(z.object({ AcctSvcrRef: text.optional() })),
  Amt: amount.optional(),
  AmtDtls: sparse(z.object({ TxAmt: z.object({ Amt: amount }).optional() })),
  CdtDbtInd: direction.optional(),
  RltdPties: sparse(
    z.object({
      Dbtr: sparse(party),
      DbtrAcct: sparse(z.object({ Id: sparse(z.object({ IBAN: text.optional() })) })),
    }),
  ),
  RmtInf: sparse(
    z.object({
      Strd: z
        .array(sparse(z.object({ CdtrRefInf: sparse(z.object({ Ref: text.optional() })) })))
        .optional(),
      Ustrd: z.array(text).optional(),
    }),
  ),
})

const entrySchema = z.object({
  Amt: amount,
  CdtDbtInd: direction,
  RvslInd: z.enum(['true', 'false', '1', '0']).optional(),
  /** `BOOK`, `PDNG`, `INFO` or one of the bank's own; an element of its own in later versions. */
  Sts: z
    .union([
      text,
      z.object({ Cd: text }).transform(({ Cd }) => Cd),
      z.object({ Prtry: text }).transform(({ Prtry }) => Prtry),
    ])
    .optional(),
  BookgDt: sparse(day),
  AcctSvcrRef: text.optional(),
  NtryDtls: z
    .array(z.union([z.literal(''), z.object({ TxDtls: z.array(details).optional() })]))
    .optional(),
})

const parts = z.array(sparse(z.object({ Ntry: z.array(z.unknown()).default([]) })))

const documentSchema = z.object({
  Document: z.union([
    z
      .object({ BkToCstmrStmt: z.object({ Stmt: parts }) })
      .transform((read) => read.BkToCstmrStmt.Stmt),
    z
      .object({ BkToCstmrDbtCdtNtfctn: z.object({ Ntfctn: parts }) })
      .transform((read) => read.BkToCstmrDbtCdtNtfctn.Ntfctn),
  ]),
})

const notCamt = 'Line 1: this isn’t a camt.053 statement or a camt.054 notification.'

/**
 * Reads a camt.053 statement or a camt.054 notification (ISO 20022), any version. An entry that can't be
 * read for certain is `unread`.
 * @throws an Error that names the line where the file isn't one of these
 */
export function readCamt(xml: string): BankEntry[] {
  // Entities could grow without end, and no bank declares any.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new Error('Line 1: the file declares entities.')
  const valid = xmlLibrary().XMLValidator.validate(xml)
  // The parser repeats what it has read: all the elements that are open, or a name of any length.
  if (valid !== true) throw new Error(`Line ${valid.err.line}: ${shortened(valid.err.msg, 200)}`)
  const read = documentSchema.safeParse(parser().parse(xml))
  if (!read.success) throw new Error(notCamt)
  const lines = linesOf(xml)
  return read.data.Document.flatMap((part) => part?.Ntry ?? []).flatMap((raw, at) => {
    const line = lines[at] ?? 1
    const entry = entrySchema.safeParse(raw)
    if (!entry.success) return [unreadEntry(line, faultOf(entry.error))]
    const isPending = (entry.data.Sts ?? 'BOOK') !== 'BOOK'
    if (!isPending && !entry.data.BookgDt) return [unreadEntry(line, 'the booking date is missing')]
    return transfersOf(entry.data, line)
  })
}

/** Our own sentences are kept; those of the schema are for programmers. */
const faultOf = ({ issues: [issue] }: z.ZodError): string =>
  issue?.code === 'custom' || /^(?:the|it) /.test(issue?.message ?? '')
    ? issue!.message
    : 'an element isn’t as expected'

const parser = () =>
  new (xmlLibrary().XMLParser)({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    alwaysCreateTextNode: false,
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: true,
    isArray: (name) => lists.has(name),
  })

/** The lines on which the entries begin, in their order. */
function linesOf(xml: string): number[] {
  const found: number[] = []
  for (const [index, row] of xml.split('\n').entries()) {
    for (const _ of row.matchAll(/<(?:\w+:)?Ntry[\s>]/g)) found.push(index + 1)
  }
  return found
}

/** The transfers of an entry: each of its details, or the entry itself where the bank gives none. */
function transfersOf(entry: z.output<typeof entrySchema>, line: number): BankEntry[] {
  const all = (entry.NtryDtls ?? []).flatMap((each) => (each === '' ? [] : (each.TxDtls ?? [])))
  const found = all.length > 0 ? all : [{}]
  const transfers = found.map((part: z.output<typeof details>) => {
    const own = part.Amt ?? part.AmtDtls?.TxAmt?.Amt
    const cents = found.length === 1 ? entry.Amt.cents : own?.cents
    if (cents === undefined) return null
    const isIn = (part.CdtDbtInd ?? entry.CdtDbtInd) === 'CRDT'
    const { Dbtr, DbtrAcct } = part.RltdPties ?? {}
    const structured = part.RmtInf?.Strd?.map((each) => each?.CdtrRefInf?.Ref ?? '') ?? []
    const written = [...structured, ...(part.RmtInf?.Ustrd ?? [])]
    const amountIn = isIn ? cents : -cents
    const { currency } = entry.Amt
    return {
      line,
      paidOn: entry.BookgDt ?? '',
      amount: amountIn,
      currency,
      message: (part.RmtInf?.Ustrd ?? []).join(' '),
      skipped: skipReason({
        amount: amountIn,
        currency,
        isPending: (entry.Sts ?? 'BOOK') !== 'BOOK',
        isReversal: entry.RvslInd === 'true' || entry.RvslInd === '1',
      }),
      reference: written.map(referenceIn).find((reference) => reference !== null) ?? null,
      payer: Dbtr?.Nm ?? Dbtr?.Pty?.Nm ?? '',
      account: ibanIn(DbtrAcct?.Id?.IBAN ?? ''),
      // The number of a whole batch is none of its transfers'.
      archiveId:
        part.Refs?.AcctSvcrRef ?? (found.length === 1 ? (entry.AcctSvcrRef ?? null) : null),
      fault: null,
    }
  })
  const read = transfers.filter((transfer) => transfer !== null)
  if (read.length < transfers.length)
    return [unreadEntry(line, 'one of its transfers has no amount')]
  const sum = read.reduce((total, { amount: cents }) => total + Math.abs(cents), 0)
  if (entry.Amt.currency === 'EUR' && sum !== entry.Amt.cents) {
    return [unreadEntry(line, 'its transfers don’t add up to its amount')]
  }
  return read
}
