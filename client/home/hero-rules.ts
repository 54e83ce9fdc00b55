/** Where the hero's texts are cut. */
export const narrowScreen = '(max-width: 767.98px)'

/**
 * A text of at most `max` characters before the ellipsis that follows a longer one. It is cut
 * between words, unless less than half of the room would be used; never inside a letter that
 * consists of several characters.
 * @param max counted in characters as Unicode does, not in code units
 */
export function cut(text: string, max: number): string {
  if (Array.from(text).length <= max) return text
  let room = max
  let kept = ''
  for (const letter of lettersOf(text)) {
    room -= Array.from(letter).length
    if (room < 0) break
    kept += letter
  }
  const atWord = /\s/.test(text.charAt(kept.length)) ? kept : kept.replace(/(?<!\S)\S+$/, '')
  const whole = atWord.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')
  return `${Array.from(whole).length * 2 < max ? kept : whole}...`
}

/**
 * The letters of a text, whole. Latin ones are one character each; to segment others takes a phone a
 * tenth of a second.
 */
const lettersOf = (text: string) =>
  /[^\0-\u02ff]/.test(text)
    ? Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)
    : Array.from(text)

/**
 * Whether the hero's photo may be shown (docs/contract.md, Pages): after consent, or with necessary
 * cookies.
 */
export const mayShowPhoto = (preferences: { consentGiven: boolean; necessary: boolean }) =>
  preferences.consentGiven || preferences.necessary
