/** What unicode61 takes for a word; everything else parts words. */
const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Words of a term that are looked for; more would only make it slow. */
const maxWords = 12

/** The words of a term, as they are typed. */
export const wordsOf = (term: string): string[] => term.normalize('NFC').match(word) ?? []

/**
 * The FTS5 expression for a term: every word must be there, the last one may go on. What stands
 * together without a space, such as `R&D`, is looked for as one phrase. Every word is quoted and
 * holds letters and digits alone, so nothing in it can be read as syntax.
 * @returns null when the term has no word
 */
export function expression(term: string): string | null {
  const phrases = term
    .split(/\s+/)
    .map((piece) => wordsOf(piece).join(' '))
    .filter((phrase) => phrase !== '')
  const last = phrases.pop()
  if (last === undefined) return null
  const wanted = [...new Set(phrases)].slice(0, maxWords - 1)
  return [...wanted.map((phrase) => `"${phrase}"`), `"${last}" *`].join(' AND ')
}

/**
 * The expression for a term of which some words are only part of longer ones, as in Finnish and German
 * compounds.
 * @param compoundsOf the compounds that stand for a word; null where the index has the word itself
 * @returns null when one that is unknown has none, or all are known
 */
export function compoundExpression(
  term: string,
  compoundsOf: (word: string) => readonly string[] | null,
): string | null {
  const typed = [...new Set(wordsOf(term))].slice(0, maxWords)
  const wanted = typed.map((one) => ({ one, compounds: compoundsOf(one) }))
  if (wanted.every(({ compounds }) => compounds === null)) return null
  if (wanted.some(({ compounds }) => compounds?.length === 0)) return null
  return wanted
    .map(({ one, compounds }) =>
      compounds === null ? `"${one}" *` : `(${compounds.map((each) => `"${each}"`).join(' OR ')})`,
    )
    .join(' AND ')
}

/** A word as the index spells it: small letters without their marks. */
export const folded = (text: string): string =>
  text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')

/** A name or a term by its words alone, for comparing one with the other. */
export const nameOf = (text: string): string => wordsOf(folded(text)).join(' ')
