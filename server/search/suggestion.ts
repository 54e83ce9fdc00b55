import { hasMatch } from './excerpt.ts'
import { expression, wordsOf } from './expression.ts'
import { marks, type IndexFile } from './index-file.ts'
import type { Vocabulary } from './spelling.ts'

/** The term with each unknown word replaced by its nearest one, if that finds something. */
export function suggestion(index: IndexFile, vocabulary: Vocabulary, term: string): string | null {
  let better = term
  for (const word of new Set(wordsOf(term))) {
    if (vocabulary.knows(word)) continue
    const nearest = vocabulary.nearest(word)
    if (nearest === null) return null
    better = better.replace(word, spelling(index, nearest))
  }
  const match = better === term ? null : expression(better)
  return match !== null && index.counts(match).size > 0 ? better : null
}

/** A word of the index as it is written where it is found first; the index itself has no capitals. */
function spelling(index: IndexFile, word: string): string {
  const found = index.sample(word)
  const text = found && [found.title, found.intro, found.body].find(hasMatch)
  return text?.split(marks.open)[1]?.split(marks.close)[0] ?? word
}
