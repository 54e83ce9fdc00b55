import { decimal } from '#shared/money.ts'
import { qrCode, qrPath, type QrCode } from '../../../images/qr-code.ts'

/** What a payment code tells a bank's app. */
type Transfer = {
  /** Who is paid. */
  name: string
  /** With or without spaces. */
  iban: string
  /** Null where it isn't known; version 2 of the guidelines doesn't need it in the EEA. */
  bic: string | null
  cents: number
  /** RF creditor reference (ISO 11649). */
  rf: string
}

/** The least and the most that a code can ask for: cents. */
const amounts = { from: 1, to: 99_999_999_999 }

/** Characters of a name that fit. */
const maxName = 70

/**
 * The text of a payment code as the European Payments Council has it (EPC069-12, version 002, UTF-8):
 * a SEPA credit transfer with account, name, amount and structured reference.
 * @returns null for an amount that no code can ask for
 */
export function paymentCodeText({ name, iban, bic, cents, rf }: Transfer): string | null {
  if (cents < amounts.from || cents > amounts.to) return null
  return [
    'BCD',
    '002',
    '1',
    'SCT',
    bic ?? '',
    name.slice(0, maxName),
    iban.replaceAll(/\s/g, ''),
    `EUR${decimal(cents)}`,
    // No purpose; the reference is structured, so there is no text beside it.
    '',
    rf,
  ].join('\n')
}

/** The code of a document that asks for money; null for one that doesn't, or can't. */
export function paymentCode(document: {
  readonly paid: boolean
  readonly total: number
  readonly covered: number
  readonly rf: string
  readonly seller: {
    readonly name: string
    readonly iban: string | null
    readonly bic: string | null
  }
}): QrCode | null {
  const { paid, total, covered, rf, seller } = document
  if (paid || seller.iban === null) return null
  const { name, iban, bic } = seller
  const text = paymentCodeText({ name, iban, bic, cents: total - covered, rf })
  return text === null ? null : qrCode(text)
}

/** Draws a payment code for a page: an SVG element with a name, on white. */
export const paymentCodeSvg = (code: QrCode): string =>
  `<svg role="img" aria-label="SEPA payment code to scan with your bank’s app" viewBox="0 0 ${code.size} ${code.size}" xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${code.size}v${code.size}H0z"/><path d="${qrPath(code)}"/></svg>`
