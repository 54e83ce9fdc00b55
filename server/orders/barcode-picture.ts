/** Loaded with the first barcode: the library is the largest of all, and most starts need none. */
const library = () => import('bwip-js/node')

/** A virtual barcode is printed as Code 128 C, which banks' applications read from paper and screens. */
const code128 = { bcid: 'code128', includetext: false } as const

/** Draws a virtual barcode for paper. @returns a PNG */
export async function barcodePng(digits: string): Promise<Buffer> {
  const { toBuffer } = await library()
  return toBuffer({ ...code128, text: digits, scale: 3, height: 12 })
}

/**
 * Draws a virtual barcode for a page: an SVG element with a name and the white that scanners want
 * around it, so that a dark page shows it, too.
 */
export async function barcodeSvg(digits: string): Promise<string> {
  const { toSVG } = await library()
  return toSVG({
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
}
