/** What no text for people contains: control characters but for tab and line feed, and half characters. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu

/** Embeddings and overrides of direction (Unicode TR9), each with the isolate that replaces it. */
const isolates: Readonly<Record<string, string>> = {
  '\u202a': '\u2066',
  '\u202b': '\u2067',
  '\u202c': '\u2069',
  '\u202d': '\u2066',
  '\u202e': '\u2067',
}

/** What begins an isolate, and what ends one. */
const isolateMarks = /[\u2066-\u2069]/g

/** Line and paragraph breaks of every kind. */
const breaks = /\r\n|[\r\n\u0085\u2028\u2029\u000b\u000c]/g

/** One line of text: runs of breaks, tabs and controls become a space; trimmed. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/**
 * A line whose direction of writing cannot reach beyond it, nor make it show something else than it
 * says: overrides and embeddings become isolates, and every isolate is closed. Marks and joiners,
 * which Arabic, Hebrew and Persian need, stay.
 */
export function isolatedLine(text: string): string {
  let open = 0
  const marked = text
    .replaceAll(/[\u202a-\u202e]/g, (mark) => isolates[mark]!)
    .replaceAll(isolateMarks, (mark) => {
      if (mark !== '\u2069') open += 1
      else if (open === 0) return ''
      else open -= 1
      return mark
    })
  return marked + '\u2069'.repeat(open)
}

/** Letters that are written from the right: Hebrew, Arabic and their relatives. */
export const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * A text with something after it that its direction of writing doesn't reach: a date behind an Arabic
 * name would be shown as “4–3 May”.
 */
export const apart = (text: string): string =>
  fromTheRight.test(text) ? `\u2068${text}\u2069` : text

/** Whether there is anything to see in a text. */
const isSeen = (text: string) => /[^\p{Cf}\p{Z}\s]/u.test(text)

/**
 * One line of text as {@link oneLine} and {@link isolatedLine}, without half characters; empty where
 * nothing of it can be seen.
 */
export function plainLine(text: string): string {
  const line = isolatedLine(oneLine(text.replaceAll(/\p{Surrogate}/gu, '')))
  return isSeen(line) ? line : ''
}

/** Several lines of text: breaks become line feeds, controls go, each line is isolated; trimmed. */
export function plainLines(text: string): string {
  const lines = text.replaceAll(breaks, '\n').replaceAll(controls, '').split('\n')
  const whole = lines.map(isolatedLine).join('\n').trim()
  return isSeen(whole) ? whole : ''
}

/** UTF-16 units of a character at most: a family of four has 11. What has more is a heap of accents. */
const maxCharacterLength = 12

/**
 * Whether a text has more characters than so many, as people count them: a flag is one, and so is a
 * letter with the accents that are behind it.
 */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > maxCharacterLength * max) return true
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(characters.segment(text)).length > max
}

/** A note as a sentence: a capital first, a full stop last. */
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, '.')

/** At most so many characters as people count them; never half of one. */
export function shortened(text: string, max: number): string {
  const signs = Array.from(text)
  return signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : text
}

/**
 * The beginning of a text as one line, at most so many characters long: the whole sentences that fit
 * if they fill half of it, else whole words with an ellipsis.
 */
export function beginning(text: string, max: number): string {
  const line = oneLine(text)
  if (!isLongerThan(line, max)) return line
  const kept = Array.from(line)
    .slice(0, max + 1)
    .join('')
  // A dot after a single letter may be one of an abbreviation.
  const ends = [...kept.matchAll(/[\p{L}\d]{2}[.!?…]["”’)]?(?=\s)/gu)]
  const last = ends.at(-1)
  const sentences = last ? kept.slice(0, last.index + last[0].length) : ''
  if (sentences.length >= max / 2) return sentences
  let end = kept.lastIndexOf(' ', max - 1)
  while (end > 0 && ' ,;:–—-'.includes(kept[end - 1]!)) end -= 1
  return end > 0 ? `${kept.slice(0, end)}…` : shortened(line, max)
}

/**
 * A name that is plainly one: letters of any script, apostrophes, hyphens and the dots of initials,
 * at most five words. For emails to visitors, which must not carry what a stranger wrote in their name.
 * @returns null for everything else, such as "Win now" with an address or "J. at example.com"
 */
export function plainName(text: string): string | null {
  // Only the joiners inside words are part of a name.
  const name = oneLine(text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''))
  const words = name.split(/\s+/)
  if (name.length > 60 || words.length > 5) return null
  const isPart = (part: string) => /^\p{L}[\p{L}\p{M}\u200c\u200d]*$/u.test(part)
  return words.every((word) => word.replace(/\.$/, '').split(/['’-]/).every(isPart))
    ? words.join(' ')
    : null
}
