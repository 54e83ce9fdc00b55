import { isUtf8 as isValidUtf8 } from 'node:buffer'

/** Datasets of the IPTC Information Interchange Model: record and number. */
export const iptcDatasets = { byLine: 0x0250, copyright: 0x0274, caption: 0x0278 } as const

const characterSet = 0x015a

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

/**
 * The texts of a dataset in a Photoshop block of a JPEG (IIM 4.2), such as one for each author; none from
 * where the block is damaged.
 */
export function iptcTexts(block: Buffer, wanted: number): string[] {
  const record = iimRecord(block)
  const texts: string[] = []
  let isUtf8 = false
  let at = record.indexOf(0x1c)
  while (at >= 0 && at + 5 <= record.length && record[at] === 0x1c) {
    const dataset = record.readUInt16BE(at + 1)
    const length = record.readUInt16BE(at + 3)
    const value = record.subarray(at + 5, at + 5 + length)
    // A length of more than 15 bits is written elsewhere, and never by one of a text.
    if (length > 0x7fff || value.length < length) return texts
    if (dataset === characterSet) isUtf8 = value.equals(utf8)
    if (dataset === wanted) texts.push(iimText(value, isUtf8))
    at += 5 + length
  }
  return texts
}
