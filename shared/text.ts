/** What no text for people contains: control characters but for tab and line feed, and half characters. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu

/** What turns the direction of writing round, so that a text shows something else than it says. */
const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Line and paragraph breaks of every kind. */
const breaks = /\r\n|[\r\n\u0085\u2028\u2029\u000b\u000c]/g

/** One line of text: runs of breaks, tabs and controls become a space; trimmed. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** One line of text as {@link oneLine}, without half characters and what turns its direction. */
export const plainLine = (text: string): string =>
  oneLine(text.replaceAll(turns, '').replaceAll(/\p{Surrogate}/gu, ''))

/** Several lines of text: breaks become line feeds, controls and turns of direction go; trimmed. */
export const plainLines = (text: string): string =>
  text.replaceAll(breaks, '\n').replaceAll(controls, '').replaceAll(turns, '').trim()

/** UTF-16 units of a character at most: a family of four has 11. What has more is a heap of accents. */
const longestCharacter = 12

/**
 * Whether a text has more characters than so many, as people count them: a flag is one, and so is a
 * letter with the accents that stand behind it.
 */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false
  if (text.length > longestCharacter * most) return true
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(characters.segment(text)).length > most
}

/** At most so many characters as people count them; never half of one. */
export function shortened(text: string, most: number): string {
  const signs = Array.from(text)
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : text
}

/**
 * A name that is plainly one: letters of any script, apostrophes, hyphens and the dots of initials,
 * at most five words. For mails to visitors, which must not carry what a stranger wrote in their name.
 * @returns null for everything else, such as "Win now" with an address or "J. at example.com"
 */
export function plainName(text: string): string | null {
  const name = plainLine(text)
  const words = name.split(/\s+/)
  if (name.length > 60 || words.length > 5) return null
  return words.every((word) => /^(?:\p{L}\p{M}*)+(?:['’-](?:\p{L}\p{M}*)+)*\.?$/u.test(word))
    ? words.join(' ')
    : null
}
