import { toBuffer, toSVG } from 'bwip-js/node'

/** A virtual barcode is printed as Code 128 C, which banks' applications read from paper and screens. */
const code128 = { bcid: 'code128', includetext: false } as const

/** Draws a virtual barcode for paper. @returns a PNG */
export const barcodePng = (digits: string): Promise<Buffer> =>
  toBuffer({ ...code128, text: digits, scale: 3, height: 12 })

/**
 * Draws a virtual barcode for a page: an SVG element with a name and the white that scanners want
 * around it, so that a dark page shows it, too.
 */
export const barcodeSvg = (digits: string): string =>
  toSVG({
    ...code128,
    text: digits,
    scale: 1,
    height: 20,
    paddingwidth: 10,
    paddingheight: 4,
    backgroundcolor: 'ffffff',
  })
    .trim()
    .replace('<svg ', `<svg role="img" aria-label="Virtual barcode to scan: ${digits}" `)
