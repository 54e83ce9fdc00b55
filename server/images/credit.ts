import { isAscii } from 'node:buffer'
import { oneLine, shortened } from '#shared/text/text.ts'
import { createBudget, BudgetExceeded, metered } from './bytes.ts'
import { iptcDatasets, iptcTexts } from './iptc.ts'
import { inMemory } from './metadata.ts'
import { readTiff, textOf } from './tiff.ts'
import { defaultText, xmpTexts } from './xmp-texts.ts'

/** Characters of a name or notice that are kept. */
const maxTextBytes = 500

/** The tags of EXIF by the names that sharp's `withExif` takes. */
const names: ReadonlyMap<number, string> = new Map([
  [0x013b, 'Artist'],
  [0x8298, 'Copyright'],
])

/** What a picture says of itself, as sharp gives it. */
type Metadata = {
  exif?: Buffer | undefined
  iptc?: Buffer | undefined
  xmp?: Buffer | undefined
}

/**
 * Author and copyright: from EXIF, else from XMP, else from the older IPTC record, where agencies write them.
 * Of damaged metadata what could be read before the damage.
 */
export async function creditOf({ exif, iptc, xmp }: Metadata): Promise<Record<string, string>> {
  const written = {
    Artist: firstOf(
      listed(xmp ? xmpTexts(xmp, 'dc:creator').map(({ text }) => text) : []),
      listed(iptc ? iptcTexts(iptc, iptcDatasets.byLine) : []),
    ),
    Copyright: firstOf(
      xmp ? defaultText(xmpTexts(xmp, 'dc:rights')) : '',
      iptc ? (iptcTexts(iptc, iptcDatasets.copyright)[0] ?? '') : '',
    ),
  }
  return {
    ...Object.fromEntries(Object.entries(written).filter(([, text]) => text !== '')),
    ...(await exifCredit(exif)),
  }
}

/**
 * The XMP packet of a credit with letters that EXIF lacks: it's written in ASCII, so Häkkinen would be
 * credited as Hakkinen.
 * @returns null where EXIF has them all
 */
export function creditXmp({ Artist = '', Copyright = '' }: Record<string, string>): string | null {
  if (isAscii(Buffer.from(Artist + Copyright))) return null
  const creator =
    Artist && `<dc:creator><rdf:Seq><rdf:li>${escaped(Artist)}</rdf:li></rdf:Seq></dc:creator>`
  const rights =
    Copyright &&
    `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${escaped(Copyright)}</rdf:li></rdf:Alt></dc:rights>`
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${creator}${rights}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Several authors, as EXIF writes them. */
const listed = (authors: readonly string[]): string =>
  authors
    .map(oneLine)
    .filter((name) => name !== '')
    .join('; ')

const firstOf = (...texts: readonly string[]): string =>
  shortened(texts.map(oneLine).find((text) => text !== '') ?? '', maxTextBytes)

async function exifCredit(exif: Buffer | undefined): Promise<Record<string, string>> {
  const credit: Record<string, string> = {}
  if (!exif) return credit
  const start = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0
  const source = metered(inMemory(exif.subarray(start)), createBudget())
  try {
    const [first] = (await readTiff(source))?.directories ?? []
    for (const entry of first?.entries ?? []) {
      const name = names.get(entry.tag)
      if (!name) continue
      const text = await textOf(source, entry, maxTextBytes)
      if (text) credit[name] = text
    }
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
  }
  return credit
}
