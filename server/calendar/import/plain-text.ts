import { textOfForeignHtml } from '../../text/mail-text.ts'

/** Characters of a description, at most; a longer one is its own page. */
const maxLength = 2_000

const tag = /<[^<>]*>/
const entity = /&(?:[a-z]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/i

/** What someone else wrote, as plain text: markup taken out, cut at the end of a word. */
export function plainTextOf(given: string): string {
  const text = tag.test(given) || entity.test(given) ? textOfForeignHtml(withBreaks(given)) : given
  const tidy = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (tidy.length <= maxLength) return tidy
  return `${tidy
    .slice(0, maxLength)
    .replace(/(?<!\S)\S+$/, '')
    .trimEnd()}…`
}

/** Line breaks of a text that has markup only here and there. */
const withBreaks = (text: string) =>
  /<(?:p|br|div|li)\b/i.test(text) ? text : text.replaceAll(/\r?\n/g, '<br>')
