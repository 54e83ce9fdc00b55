import { editDistance } from '../text/edit-distance.ts'
import { folded } from './expression.ts'

/** The words of the index, to guess what a misspelt one was meant to be. */
export type Vocabulary = {
  add(word: string, documents: number): void
  /** The nearest word that is there: fewest differences, then most documents; null when none is near. */
  nearest(word: string): string | null
  /** True for a word of the index, or the beginning of one. */
  knows(word: string): boolean
  /** Words that have a word further in, such as “talviralli” for “ralli”; those of most documents first. */
  compoundsOf(word: string): string[]
}

type Known = { word: string; letters: number; documents: number }

/** Shorter words have too many neighbours to guess. */
const minWordLength = 3

/** Shorter ones are in too many words by chance. */
const minPartLength = 4
/** Compounds that are looked for in place of a word. */
const maxCompounds = 20

/** Creates an empty vocabulary. Words are normalised like those of the index. */
export function createVocabulary(): Vocabulary {
  /** By length: a slip changes it by one at most. */
  const byLength = new Map<number, Known[]>()
  return {
    add(word, documents) {
      if (word.length < minWordLength || /^\d+$/.test(word)) return
      const known = byLength.get(word.length)
      const entry = { word, letters: lettersOf(word), documents }
      if (known) known.push(entry)
      else byLength.set(word.length, [entry])
    },
    knows(given) {
      const word = folded(given)
      if (word.length < minWordLength) return true
      for (const [length, known] of byLength) {
        if (length >= word.length && known.some((each) => each.word.startsWith(word))) return true
      }
      return false
    },
    compoundsOf(given) {
      const part = folded(given)
      if (part.length < minPartLength) return []
      const found: Known[] = []
      for (const [length, known] of byLength) {
        if (length > part.length) found.push(...known.filter(({ word }) => word.includes(part, 1)))
      }
      const best = found.toSorted((a, b) => b.documents - a.documents).slice(0, maxCompounds)
      return best.map(({ word }) => word)
    },
    nearest(given) {
      const word = folded(given)
      if (word.length < minWordLength) return null
      const max = word.length < 6 ? 1 : 2
      const letters = lettersOf(word)
      let best: Known | null = null
      let fewest = max + 1
      for (let length = word.length - max; length <= word.length + max; length += 1) {
        for (const known of byLength.get(length) ?? []) {
          // A typing error adds or removes one letter at most: compared first, since it is cheap.
          if (bits(known.letters ^ letters) > 2 * max) continue
          const found = editDistance(word, known.word, max)
          if (found < fewest || (found === fewest && best && known.documents > best.documents)) {
            if (found > max) continue
            fewest = found
            best = known
          }
        }
      }
      return best?.word ?? null
    },
  }
}

/** The letters of a word as bits. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bits(value: number): number {
  let left = value
  let count = 0
  for (; left !== 0; count += 1) left &= left - 1
  return count
}
