import { decimal, sum } from '#shared/money.ts'
import { xmlDocument } from '../../text/xml-document.ts'

/** A transfer of a file for the bank. */
export type Transfer = {
  /** What the recipient's bank tells it by; at most 35 characters. */
  readonly endToEndId: string
  readonly cents: number
  readonly name: string
  readonly iban: string
  /** What the recipient reads. */
  readonly message: string
}

/** A file for the bank. */
export type TransferFile = {
  /** Unique for each file; at most 35 characters. */
  readonly message: string
  /** ISO 8601, with seconds. */
  readonly madeAt: string
  /** Civil date on which the bank is to pay. */
  readonly executeOn: string
  readonly debtor: { readonly name: string; readonly iban: string; readonly bic: string | null }
  readonly transfers: readonly Transfer[]
}

/** Letters that are no letter with a mark, as their own countries write them without. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
}

/**
 * A text as SEPA takes it: Latin letters, digits and a few signs (EPC217-08), with the letters of Finland
 * and Sweden, which banks here pass on. Others lose their accents, or are written as in
 * {@link plainLetters}, since banks compare the name with that of the account; what is left becomes spaces.
 */
const sepaText = (text: string, characters: number): string =>
  Array.from(text.normalize('NFC'))
    .map((letter) =>
      /[åäöÅÄÖ]/.test(letter) ? letter : (plainLetters[letter] ?? letter.normalize('NFKD')),
    )
    .join('')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z0-9åäöÅÄÖ/\-?:().,'+ ]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, characters)

/**
 * Writes SEPA credit transfers as ISO 20022 pain.001.001.09 (EPC132-08, 2023 rulebook), elements in the
 * order of its schema.
 * @returns XML, UTF-8
 */
export function pain001({ message, madeAt, executeOn, debtor, transfers }: TransferFile): string {
  const totals = {
    NbOfTxs: String(transfers.length),
    CtrlSum: decimal(sum(transfers.map(({ cents }) => cents))),
  }
  const name = sepaText(debtor.name, 70)
  const document = {
    '@xmlns': 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
    CstmrCdtTrfInitn: {
      GrpHdr: { MsgId: message, CreDtTm: madeAt, ...totals, InitgPty: { Nm: name } },
      PmtInf: {
        PmtInfId: message,
        PmtMtd: 'TRF',
        ...totals,
        PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
        ReqdExctnDt: { Dt: executeOn },
        Dbtr: { Nm: name },
        DbtrAcct: { Id: { IBAN: debtor.iban } },
        DbtrAgt: {
          FinInstnId: debtor.bic === null ? { Othr: { Id: 'NOTPROVIDED' } } : { BICFI: debtor.bic },
        },
        ChrgBr: 'SLEV',
        CdtTrfTxInf: transfers.map((transfer) => ({
          PmtId: { EndToEndId: transfer.endToEndId },
          Amt: { InstdAmt: { '@Ccy': 'EUR', '#text': decimal(transfer.cents) } },
          Cdtr: { Nm: sepaText(transfer.name, 70) || 'Customer' },
          CdtrAcct: { Id: { IBAN: transfer.iban } },
          RmtInf: { Ustrd: sepaText(transfer.message, 140) },
        })),
      },
    },
  }
  return xmlDocument({ Document: document })
}
