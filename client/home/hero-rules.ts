/** Where the hero's texts are cut. */
export const narrowScreen = '(max-width: 767.98px)'

/**
 * A text of at most so many characters before the ellipsis that follows a longer one. It is cut
 * between words, unless less than half of the room would be used; never inside a letter that
 * consists of several characters.
 * @param most counted in characters as Unicode does, not in code units
 */
export function cut(text: string, most: number): string {
  if (Array.from(text).length <= most) return text
  const kept = beginningOf(text, most)
  const atWord = /\s/.test(text.charAt(kept.length)) ? kept : kept.replace(/(?<!\S)\S+$/, '')
  const whole = atWord.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')
  return `${Array.from(whole).length * 2 < most ? kept : whole}...`
}

/** The first letters of a text that have room in so many characters. */
function beginningOf(text: string, most: number): string {
  // Latin letters are one character each; to segment takes a phone a tenth of a second.
  if (!/[^\0-\u02ff]/.test(text.slice(0, most + 1))) return text.slice(0, most)
  let room = most
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    room -= Array.from(segment).length
    if (room < 0) break
    kept += segment
  }
  return kept
}

/**
 * Whether the hero's photo may be shown (docs/contract.md, Pages): after consent, or with necessary
 * cookies.
 */
export const mayShowPhoto = (preferences: { consentGiven: boolean; necessary: boolean }) =>
  preferences.consentGiven || preferences.necessary
