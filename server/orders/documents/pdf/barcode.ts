import { nationalReference, plainReference } from '../reference-number.ts'
import { library } from '../../../library.ts'

const drawBarcode = library('jsbarcode')

/**
 * The virtual barcode of a Finnish invoice, 54 digits (Finanssiala, bank bar code guide 5.3), which
 * people paste into their bank and which is printed as Code 128 C.
 */

/** What a barcode tells the bank. */
type Payment = {
  /** Finnish IBAN, with or without spaces. */
  iban: string
  /** Cents; what does not fit into eight digits is left open as zeros. */
  cents: number
  /** A national reference number (version 4), or an RF reference (version 5). */
  reference: string
  /** Civil date, YYYY-MM-DD; null for none. */
  due: string | null
}

/** The most that eight digits hold: 999 999.99 €. */
const maxCents = 99_999_999

/**
 * Writes the barcode: version 4 for a national reference number, version 5 for an RF reference.
 * @returns 54 digits
 * @throws RangeError for an IBAN that is not Finnish, or a reference that is none
 */
export function virtualBarcode({ iban, cents, reference, due }: Payment): string {
  const account = iban.replaceAll(/\s/g, '').match(/^FI(\d{16})$/i)?.[1]
  if (!account) throw new RangeError('A virtual barcode needs a Finnish IBAN.')
  const open = !Number.isSafeInteger(cents) || cents < 0 || cents > maxCents
  const amount = String(open ? 0 : cents).padStart(8, '0')
  const date = due === null ? '000000' : due.slice(2).replaceAll('-', '')
  return /^RF/i.test(reference)
    ? `5${account}${amount}${internationalPart(reference)}${date}`
    : `4${account}${amount}000${nationalPart(reference)}${date}`
}

/**
 * The barcode of an invoice over what is left to pay of it, whatever its own one asks for.
 * @returns empty for a document without one
 */
export function barcodeOver(
  document: {
    readonly barcode: string | null
    readonly reference: string
    readonly dueOn: string | null
    readonly seller: { readonly iban: string | null }
  },
  cents: number,
): string {
  const { barcode, reference, dueOn: due, seller } = document
  if (barcode === null || seller.iban === null) return ''
  return virtualBarcode({ iban: seller.iban, cents, reference, due })
}

function nationalPart(text: string): string {
  const reference = plainReference(text)
  if (!/^\d{4,20}$/.test(reference)) throw new RangeError(`${text} isn’t a reference number.`)
  return reference.padStart(20, '0')
}

function internationalPart(text: string): string {
  const reference = nationalReference(text)
  if (reference === null) throw new RangeError(`${text} isn’t an RF reference.`)
  return text.replaceAll(/\s/g, '').slice(2, 4) + reference.padStart(21, '0')
}

/** White modules on each side that scanners need (Code 128 asks for ten). */
const quietModules = 10

/** A run of black modules of a barcode: where it begins and how wide it is. */
type Bar = { readonly at: number; readonly width: number }

/** A barcode as black bars in modules, the quiet zones on both sides included in its width. */
type Barcode = { readonly width: number; readonly bars: readonly Bar[] }

/**
 * Encodes a virtual barcode as Code 128 C (ISO/IEC 15417), which banks' apps read from paper and
 * screens.
 * @param digits an even number of them
 */
export function encodeBarcode(digits: string): Barcode {
  const encoded: { encodings?: readonly { data: string }[] } = {}
  drawBarcode()(encoded, digits, { format: 'CODE128C' })
  const modules = encoded.encodings?.map(({ data }) => data).join('') ?? ''
  const bars = Array.from(modules.matchAll(/1+/g), ({ 0: run, index }) => ({
    at: quietModules + index,
    width: run.length,
  }))
  return { width: modules.length + 2 * quietModules, bars }
}

/** Height of the bars on a page, in modules. */
const pageHeight = 56

/**
 * Draws a virtual barcode for a page: an SVG element with a name, on white, so a scanner reads it
 * from a dark page, too.
 */
export function barcodeSvg(digits: string): string {
  const { width, bars } = encodeBarcode(digits)
  const edge = 4
  const path = bars
    .map((bar) => `M${bar.at} ${edge}h${bar.width}v${pageHeight}h-${bar.width}z`)
    .join('')
  const box = `0 0 ${width} ${pageHeight + 2 * edge}`
  return `<svg role="img" aria-label="Virtual barcode to scan: ${digits}" viewBox="${box}" xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${pageHeight + 2 * edge}H0z"/><path d="${path}"/></svg>`
}
