import { isUtf8 as isValidUtf8 } from 'node:buffer'
import type { XMLParser } from 'fast-xml-parser'
import { plainLines, shortened } from '#shared/text/text.ts'
import { library } from '../../library.ts'

const xml = library('fast-xml-parser')

/** Max characters of a caption that are kept; IPTC itself allows 2000. */
const maxCaptionLength = 2000

/** Bytes of the element with the captions that are parsed; a longer one has none. */
const maxElementLength = 8 * 1024

/** A packet that is longer has no caption; a photo editor writes some ten kilobytes. */
const maxPacketLength = 1024 * 1024

/**
 * What the photographer wrote below a photo: the description in its XMP (IPTC Core, Description), else
 * the caption of its older IPTC record. Cameras' own texts in EXIF aren't captions.
 * @param metadata as sharp gives it
 * @returns plain text of at most a few lines; empty for none
 */
export function captionIn({
  xmp,
  iptc,
}: {
  xmp?: Buffer | undefined
  iptc?: Buffer | undefined
}): string {
  const caption = (xmp && descriptionIn(xmp)) || (iptc && iimCaption(iptc)) || ''
  return shortened(plainLines(caption).trim(), maxCaptionLength)
}

let parser: XMLParser | undefined

const makeParser = () =>
  new (xml().XMLParser)({
    ignoreAttributes: false,
    parseTagValue: false,
    htmlEntities: true,
    isArray: (name) => name === 'rdf:li',
  })

/** The `dc:description` of an XMP packet, in its default language where there are several. */
function descriptionIn(xmp: Buffer): string {
  if (xmp.length > maxPacketLength) return ''
  const text = xmp.toString('utf8')
  const start = text.indexOf('<dc:description>')
  const end = text.indexOf('</dc:description>', start)
  const element = start < 0 || end < 0 ? '' : text.slice(start, end + '</dc:description>'.length)
  if (element === '' || element.length > maxElementLength) return ''
  try {
    const parsed = (parser ??= makeParser()).parse(element) as {
      'dc:description'?: string | { 'rdf:Alt'?: { 'rdf:li'?: unknown[] } }
    }
    const description = parsed['dc:description']
    if (typeof description === 'string') return description
    const items = (description?.['rdf:Alt']?.['rdf:li'] ?? []).map(languageItem)
    return (items.find(({ language }) => language === 'x-default') ?? items[0])?.text ?? ''
  } catch {
    return ''
  }
}

/** One text of an `rdf:Alt`. */
function languageItem(item: unknown): { language: string; text: string } {
  if (typeof item === 'string') return { language: '', text: item }
  const { '#text': text = '', '@_xml:lang': language = '' } = (item ?? {}) as Record<
    string,
    unknown
  >
  return { language: String(language), text: String(text) }
}

/** Datasets of the IPTC Information Interchange Model: record and number. */
const characterSet = 0x015a
const captionAbstract = 0x0278

/** What the character set says when texts are in UTF-8. */
const utf8 = Buffer.from('\u001b%G', 'latin1')

/** How the resource with the IPTC record begins in a Photoshop block. */
const iptcResource = Buffer.from('8BIM\u0004\u0004', 'latin1')

/** The record in a Photoshop block; what comes without one is the record itself. */
function iimRecord(block: Buffer): Buffer {
  const start = block.indexOf(iptcResource)
  if (start < 0) return block
  // A name of even length follows, with its own length, and four bytes that say how long the record
  // is: one of them may look like the record's first.
  const name = start + iptcResource.length
  const named = 1 + (block[name] ?? 0)
  return block.subarray(name + named + (named % 2) + 4)
}

/**
 * A text whose character set may be declared or not. Programs that write UTF-8 forget to say so, and
 * what is valid UTF-8 is hardly ever meant to be anything else.
 */
function iimText(value: Buffer, isUtf8: boolean): string {
  const isValid = isUtf8 || isValidUtf8(value)
  return new TextDecoder(isValid ? 'utf-8' : 'latin1').decode(value)
}

/** The caption in a Photoshop block of a JPEG (IIM 4.2, 2:120). */
function iimCaption(block: Buffer): string {
  const record = iimRecord(block)
  let isUtf8 = false
  let at = record.indexOf(0x1c)
  while (at >= 0 && at + 5 <= record.length && record[at] === 0x1c) {
    const dataset = record.readUInt16BE(at + 1)
    const length = record.readUInt16BE(at + 3)
    const value = record.subarray(at + 5, at + 5 + length)
    // A length of more than 15 bits is written elsewhere, and never by one of a caption.
    if (length > 0x7fff || value.length < length) return ''
    if (dataset === characterSet) isUtf8 = value.equals(utf8)
    if (dataset === captionAbstract) return iimText(value, isUtf8)
    at += 5 + length
  }
  return ''
}
