import * as z from 'zod'
import { civilDate } from '#shared/dates/civil-dates.ts'
import { parseEuros } from '#shared/money.ts'
import { shortened } from '#shared/text/text.ts'
import { library } from '../../library.ts'
import { type BankEntry, currencyOf, ibanIn, referenceIn, skipReason } from './entry.ts'

const xmlLibrary = library('fast-xml-parser')

/** Elements that may be there many times, so that one of them is a list, too. */
const lists = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'Strd', 'Ustrd'])

const text = z.string().max(500)

/** A part that may be left out, or be there with nothing in it, which the parser reads as an empty text. */
const sparse = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

const amount = z.object({
  '#text': z
    .string()
    // Other currencies have other decimals, and none of them pays anything.
    .transform((written) => (/^\d{1,12}\.\d{3,}$/.test(written) ? 0 : parseEuros(written)))
    .refine((cents): cents is number => cents !== null, 'the amount isn’t a number'),
  '@Ccy': z.string('the currency is missing').max(3),
})

const day = z
  .union([z.object({ Dt: text }), z.object({ DtTm: text })], 'the booking date is missing')
  .transform((date) => civilDate(('Dt' in date ? date.Dt : date.DtTm).slice(0, 10)))
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
  RvslInd: z.enum(['true', 'false']).optional(),
  /** `BOOK`, `PDNG` or `INFO`; a code by itself in later versions. */
  Sts: z.union([text, z.object({ Cd: text }).transform(({ Cd }) => Cd)]).optional(),
  BookgDt: day.optional(),
  AcctSvcrRef: text.optional(),
  NtryDtls: z
    .array(z.union([z.literal(''), z.object({ TxDtls: z.array(details).optional() })]))
    .optional(),
})

const documentSchema = z.object({
  Document: z.object(
    {
      BkToCstmrStmt: z.object({
        Stmt: z.array(z.object({ Ntry: z.array(z.unknown()).default([]) })),
      }),
    },
    'Line 1: this isn’t a camt.053 statement.',
  ),
})

/**
 * Reads a camt.053 statement (ISO 20022 BankToCustomerStatement), any version.
 * @throws an Error that names the line of the first mistake
 */
export function readCamt(xml: string): BankEntry[] {
  // Entities could grow without end, and no bank declares any.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new Error('Line 1: the file declares entities.')
  const valid = xmlLibrary().XMLValidator.validate(xml)
  // The parser repeats what it has read: all the elements that are open, or a name of any length.
  if (valid !== true) throw new Error(`Line ${valid.err.line}: ${shortened(valid.err.msg, 200)}`)
  const read = documentSchema.safeParse(parser().parse(xml))
  if (!read.success) throw new Error('Line 1: this isn’t a camt.053 statement.')
  const lines = linesOf(xml)
  return read.data.Document.BkToCstmrStmt.Stmt.flatMap(({ Ntry }) => Ntry).flatMap((raw, at) => {
    const line = lines[at] ?? 1
    const entry = entrySchema.safeParse(raw)
    if (!entry.success) throw new Error(`Line ${line}: ${entry.error.issues[0]!.message}.`)
    const isPending = (entry.data.Sts ?? 'BOOK') !== 'BOOK'
    if (!isPending && !entry.data.BookgDt) {
      throw new Error(`Line ${line}: the booking date is missing.`)
    }
    return transfersOf(entry.data, line)
  })
}

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
  const parts = all.length > 0 ? all : [{}]
  const transfers = parts.map((part: z.output<typeof details>) => {
    const own = part.Amt ?? part.AmtDtls?.TxAmt?.Amt
    const cents = parts.length === 1 ? entry.Amt['#text'] : own?.['#text']
    if (cents === undefined) throw new Error(`Line ${line}: a transfer has no amount.`)
    const isIn = (part.CdtDbtInd ?? entry.CdtDbtInd) === 'CRDT'
    const { Dbtr, DbtrAcct } = part.RltdPties ?? {}
    const structured = part.RmtInf?.Strd?.map((each) => each?.CdtrRefInf?.Ref ?? '') ?? []
    const written = [...structured, ...(part.RmtInf?.Ustrd ?? [])]
    const amountIn = isIn ? cents : -cents
    const currency = currencyOf(entry.Amt['@Ccy'])
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
      }),
      reference: written.map(referenceIn).find((reference) => reference !== null) ?? null,
      payer: Dbtr?.Nm ?? Dbtr?.Pty?.Nm ?? '',
      account: ibanIn(DbtrAcct?.Id?.IBAN ?? ''),
      archiveId: part.Refs?.AcctSvcrRef ?? entry.AcctSvcrRef ?? null,
    }
  })
  const sum = transfers.reduce((total, { amount: cents }) => total + Math.abs(cents), 0)
  const isEuro = entry.Amt['@Ccy'] === 'EUR'
  if (isEuro && sum !== entry.Amt['#text']) {
    throw new Error(`Line ${line}: the transfers don’t add up to the amount of their entry.`)
  }
  return transfers
}
