import type { XMLParser } from 'fast-xml-parser'
import { library } from '../library.ts'

const xml = library('fast-xml-parser')

/** Bytes of an element that are parsed; of a longer one nothing is read. */
const maxElementLength = 8 * 1024

/** A packet that is longer isn't looked through; a photo editor writes some ten kilobytes. */
const maxPacketLength = 1024 * 1024

let parser: XMLParser | undefined

const makeParser = () =>
  new (xml().XMLParser)({
    ignoreAttributes: false,
    parseTagValue: false,
    htmlEntities: true,
    isArray: (name) => name === 'rdf:li',
  })

/** The properties of Dublin Core that are read: what a photo shows, by whom, and whose it is. */
type Property = 'dc:description' | 'dc:creator' | 'dc:rights'

/** One text of a list. */
export type XmpText = { language: string; text: string }

/** The texts of a property in an XMP packet: a list of authors, or a text in each language; none for what can't be read. */
export function xmpTexts(xmp: Buffer, property: Property): XmpText[] {
  if (xmp.length > maxPacketLength) return []
  const packet = xmp.toString('utf8')
  const start = packet.indexOf(`<${property}>`)
  const end = packet.indexOf(`</${property}>`, start)
  const element = start < 0 || end < 0 ? '' : packet.slice(start, end + `</${property}>`.length)
  if (element === '' || element.length > maxElementLength) return []
  try {
    const parsed = (parser ??= makeParser()).parse(element) as Partial<Record<Property, unknown>>
    const value = parsed[property]
    if (typeof value === 'string') return [{ language: '', text: value }]
    const lists = Object.values((value ?? {}) as Record<string, { 'rdf:li'?: unknown[] }>)
    return lists.flatMap((list) => (list['rdf:li'] ?? []).map(itemOf))
  } catch {
    return []
  }
}

/** A text in its default language, of a property that has one in several; empty for none. */
export const defaultText = (texts: readonly XmpText[]): string =>
  (texts.find(({ language }) => language === 'x-default') ?? texts[0])?.text ?? ''

function itemOf(item: unknown): XmpText {
  if (typeof item === 'string') return { language: '', text: item }
  const { '#text': text = '', '@_xml:lang': language = '' } = (item ?? {}) as Record<
    string,
    unknown
  >
  return { language: String(language), text: String(text) }
}
