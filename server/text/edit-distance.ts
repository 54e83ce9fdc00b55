/**
 * How many typos apart two words are: a letter wrong, missing or extra, or two neighbours swapped.
 * @param max beyond this the exact number doesn't matter: the result is `max + 1`
 */
export function editDistance(a: string, b: string, max: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let min = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
      min = Math.min(min, cost)
    }
    if (min > max) return max + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

/** The word nearest to a mistyped one, for "did you mean"; null when none is close enough. */
export function nearestOf(word: string, words: Iterable<string>): string | null {
  const max = word.length < 6 ? 1 : 2
  let best: string | null = null
  let fewest = max + 1
  for (const each of words) {
    const found = editDistance(word.toLowerCase(), each.toLowerCase(), max)
    if (found < fewest) [best, fewest] = [each, found]
  }
  return best
}
