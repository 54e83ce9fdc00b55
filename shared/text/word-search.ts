/** What no keyboard of another country has, and phones put in by themselves, as everyone types it. */
const plainSigns: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  đ: 'd',
  Đ: 'd',
}

/** A text as searches of staff compare it: without case and accents. Only what isn't ASCII can have any. */
const foldText = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]+/g, withoutAccents).toLowerCase()

const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘øłđ]/gi, (sign) => plainSigns[sign] ?? sign)

/** The words of a search, folded; ten at most. */
export const searchWords = (typed: string): string[] =>
  foldText(typed).split(/\s+/).filter(Boolean).slice(0, 10)

/** What a thing is found by. */
export type SearchTexts = readonly (string | number | null | undefined)[]

/** Whether each of the words (see {@link searchWords}) is in one of the texts. */
export function hasWords(words: readonly string[], texts: SearchTexts): boolean {
  const text = foldText(texts.filter((each) => each !== null && each !== undefined).join('\n'))
  return words.every((word) => text.includes(word))
}
