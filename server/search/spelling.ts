import { folded } from './expression.ts'

/** The words of the index, to guess what a misspelt one was meant to be. */
export type Vocabulary = {
  add(word: string, documents: number): void
  /** The nearest word that is there: fewest slips, then most documents; null when none is near. */
  nearest(word: string): string | null
  /** True for a word of the index, or the beginning of one. */
  knows(word: string): boolean
}

type Known = { word: string; letters: number; documents: number }

/** Shorter words have too many neighbours to guess. */
const shortestWord = 3

/** Makes an empty vocabulary. Words are spelled as the index does. */
export function createVocabulary(): Vocabulary {
  /** By length: a slip changes it by one at most. */
  const byLength = new Map<number, Known[]>()
  return {
    add(word, documents) {
      if (word.length < shortestWord || /^\d+$/.test(word)) return
      const known = byLength.get(word.length)
      const entry = { word, letters: lettersOf(word), documents }
      if (known) known.push(entry)
      else byLength.set(word.length, [entry])
    },
    knows(given) {
      const word = folded(given)
      if (word.length < shortestWord) return true
      for (const [length, known] of byLength) {
        if (length >= word.length && known.some((each) => each.word.startsWith(word))) return true
      }
      return false
    },
    nearest(given) {
      const word = folded(given)
      if (word.length < shortestWord) return null
      const most = word.length < 6 ? 1 : 2
      const letters = lettersOf(word)
      let best: Known | null = null
      let fewest = most + 1
      for (let length = word.length - most; length <= word.length + most; length += 1) {
        for (const known of byLength.get(length) ?? []) {
          // A typing error adds or removes one letter at most: compared first, since it is cheap.
          if (bits(known.letters ^ letters) > 2 * most) continue
          const found = slips(word, known.word, most)
          if (found < fewest || (found === fewest && best && known.documents > best.documents)) {
            if (found > most) continue
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

/**
 * How many slips lie between two words: a letter wrong, missing, too many, or two swapped.
 * @param most more than this is not counted out
 */
function slips(a: string, b: string, most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
