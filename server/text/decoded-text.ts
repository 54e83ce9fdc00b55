import { isUtf8 } from 'node:buffer'

/**
 * The text of a file in the encodings that office programs write: UTF-8, UTF-16 with a byte order mark,
 * or Windows-1252, which is taken for what isn't UTF-8. UTF-8 with a few broken bytes, such as that of a
 * file that's still being written, stays UTF-8.
 * @returns the text without its byte order mark
 */
export function decodedText(bytes: Uint8Array): string {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  const text = new TextDecoder().decode(bytes)
  if (isUtf8(bytes)) return text
  const foreign = text.match(/[^\0-\u{7f}]/gu) ?? []
  const broken = foreign.filter((letter) => letter === '\u{fffd}').length
  return broken < foreign.length / 2 ? text : new TextDecoder('windows-1252').decode(bytes)
}

/** A text of a file without the byte order mark that some editors put at its beginning. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '')
