/** `-----Original Message-----` in any language, or the line that Outlook draws. */
const divider = /^\s*(?:-{3,}[^-]{3,60}-{3,}|_{20,})\s*$/

/**
 * A header field of a quoted email in any language, such as `From: …` or `*Lähettäjä:* …`; for a line
 * without blanks at its ends.
 */
const quotedField = /^\*?\p{L}[\p{L} \u00a0]{1,21}:\*?\s/u

/** Lines of an introduction such as "On …, Noora wrote:", which programs break where they are full. */
const maxIntroduction = 4

const isQuote = (line: string) => /^\s?>/.test(line)
const isBlank = (line: string) => line.trim() === ''

/**
 * What of an email its sender wrote, without the email that it answers: whether that is quoted below
 * with `>`, above it, or after a divider. An answer between quoted lines stays whole, since one isn't
 * understood without the other.
 * @param text plain text with line feeds
 * @returns may be empty
 */
export function ownWords(text: string): string {
  const lines = text.split('\n')
  const end = dividerAt(lines)
  const above = end === null ? lines : lines.slice(0, end)
  const first = above.findIndex(isQuote)
  if (first < 0) return above.join('\n').trim()
  const last = above.findLastIndex(isQuote)
  const before = above.slice(0, introductionBefore(above, first))
  const after = above.slice(last + 1)
  const isBelow = after.every(isBlank)
  const isAbove = before.every(isBlank)
  const isOneBlock = above.slice(first, last).every((line) => isQuote(line) || isBlank(line))
  if (isOneBlock && isBelow) return before.join('\n').trim()
  if (isOneBlock && isAbove) return after.join('\n').trim()
  return above.join('\n').trim()
}

/** Where an email that isn't quoted with `>` begins: a divider or fields, three of them in a row. */
function dividerAt(lines: readonly string[]): number | null {
  for (const [index, line] of lines.entries()) {
    if (divider.test(line) && isFieldsAt(lines, index + 1, 2)) return index
    if (isFieldsAt(lines, index, 3) && hasAddressOrMark(lines.slice(index, index + 6))) return index
  }
  return null
}

/** Whether so many header fields follow, with blank lines before them. */
function isFieldsAt(lines: readonly string[], start: number, count: number): boolean {
  let at = start
  while (at < lines.length && at < start + 2 && isBlank(lines[at]!)) at += 1
  if (at > start && count > 2) return false
  for (let each = 0; each < count; each += 1) {
    if (!quotedField.test((lines[at + each] ?? '').trim())) return false
  }
  return true
}

/** Fields of an email name an address, or the subject with its ticket. */
const hasAddressOrMark = (lines: readonly string[]) =>
  lines.some((line) => /\S@\S/.test(line) || line.includes('[Ticket: '))

/** A day or an address: what every language writes into an introduction, and few people above a quote. */
const mark = /\b20\d\d\b|\b\d{1,2}[./-]\d{1,2}\b|\S@\S/

/**
 * Where what introduces a quote begins: the line above it that ends in a colon, and those shortly
 * before that, where the program has broken its sentence. What only ends in a colon may be the sender's
 * own.
 */
function introductionBefore(lines: readonly string[], quote: number): number {
  let end = quote - 1
  while (end >= 0 && isBlank(lines[end]!)) end -= 1
  if (end < 0 || !lines[end]!.trimEnd().endsWith(':')) return quote
  let found = quote
  for (let begin = end; begin >= 0 && begin > end - maxIntroduction; begin -= 1) {
    const line = lines[begin]!
    if (isBlank(line)) break
    if (!mark.test(line)) continue
    found = begin
    // The address comes last, and the day before it.
    if (!/\S@\S/.test(line) || /\b\d/.test(line)) break
  }
  return found
}
