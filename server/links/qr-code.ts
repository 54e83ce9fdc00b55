import { encodeQR } from 'qr'

/** Free modules around the code, which scanners need. */
const borderModules = 4

/**
 * A QR code as SVG: black on white in both themes, since many scanners fail on the reverse.
 * @param text what it says
 */
export function qrSvg(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: borderModules })
  const path = rows
    .flatMap((row, y) => runs(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
  const size = rows.length
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
export const qrTerminal = (text: string): string => encodeQR(text, 'ascii', { ecc: 'low' })

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
