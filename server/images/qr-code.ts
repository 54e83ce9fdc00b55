import { library } from '../library.ts'

const encoder = library('qr')

/** Free modules around the code, which scanners need. */
const borderModules = 4

/** A QR code as dark stretches in modules, the free modules around it included in its size. */
export type QrCode = {
  readonly size: number
  readonly runs: readonly { readonly x: number; readonly y: number; readonly length: number }[]
}

/** Encodes a text (ISO/IEC 18004, error correction M). */
export function qrCode(text: string): QrCode {
  const rows = encoder().encodeQR(text, 'raw', { ecc: 'medium', border: borderModules })
  return {
    size: rows.length,
    runs: rows.flatMap((row, y) => runs(row).map((run) => ({ ...run, y }))),
  }
}

/** The dark modules of a QR code as the path of an SVG. */
export const qrPath = ({ runs: dark }: QrCode): string =>
  dark.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('')

/**
 * A QR code as SVG: black on white in both themes, since many scanners fail on the reverse.
 * @param text what it says
 */
export function qrSvg(text: string): string {
  const code = qrCode(text)
  const { size } = code
  const path = qrPath(code)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" shape-rendering="crispEdges"><title>QR code</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>\n`
}

/** The same as PNG, for programs that take no SVG; large enough for a poster. */
export async function qrPng(text: string): Promise<Buffer> {
  // Loaded with the first one: the library is most of a cold start.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(qrSvg(text)), { density: 288 })
    .png({ palette: true, colours: 2 })
    .toBuffer()
}

/** A QR code for a terminal. */
export const qrTerminal = (text: string): string =>
  encoder().encodeQR(text, 'ascii', { ecc: 'low' })

/** The dark stretches of a row. */
function runs(row: readonly boolean[]): { x: number; length: number }[] {
  const found: { x: number; length: number }[] = []
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue
    let length = 1
    while (row[x + length]) length += 1
    found.push({ x, length })
    x += length
  }
  return found
}
