import { editDistance } from '../text/edit-distance.ts'
import { folded } from './expression.ts'

/** The words of the index, to guess what a misspelt one was meant to be. */
export type Vocabulary = {
  add(word: string, documents: number): void
  /** The nearest word that is there: fewest differences, then most documents; null when none is near. */
  nearest(word: string): string | null
  /** True for a word of the index, or the beginning of one. */
  knows(word: string): boolean
}

type Known = { word: string; letters: number; documents: number }

/** Shorter words have too many neighbours to guess. */
const minWordLength = 3

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
