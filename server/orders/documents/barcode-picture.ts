import JsBarcode from 'jsbarcode'

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
  JsBarcode(encoded, digits, { format: 'CODE128C' })
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
