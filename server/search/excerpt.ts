import type { TextPart } from '#shared/search-results.ts'
import { marks } from './index-file.ts'

/** Characters of an excerpt. */
const excerptLength = 160
/** Characters of it before the first match. */
const leadLength = 45

/** A text with marks as parts, for React to mark up. */
export function parts(marked: string): TextPart[] {
  const found: TextPart[] = []
  for (const [index, piece] of marked.split(marks.open).entries()) {
    const [first = '', rest] = index === 0 ? ['', piece] : piece.split(marks.close)
    if (first) found.push({ text: first, mark: true })
    if (rest) found.push({ text: rest, mark: false })
  }
  return found
}

/**
 * About 160 characters of a text around its matches: where most of them stand close together, cut
 * between words. Letters stay as they are written.
 * @param marked the text, with marks
 */
export function excerpt(marked: string): TextPart[] {
  const { text, ranges } = unmarked(marked)
  const [from, to] = window(text, ranges)
  const cut: TextPart[] = []
  const add = (piece: string, mark: boolean) => {
    if (piece) cut.push({ text: piece, mark })
  }
  let at = from
  for (const [start, end] of ranges) {
    if (start < at || end > to) continue
    add(text.slice(at, start), false)
    add(text.slice(start, end), true)
    at = end
  }
  add(text.slice(at, to), false)
  if (from > 0) cut.unshift({ text: '… ', mark: false })
  if (to < text.length) cut.push({ text: ' …', mark: false })
  return cut
}

/** True when a text has a match. */
export const hasMatch = (marked: string) => marked.includes(marks.open)

type Range = [start: number, end: number]

function unmarked(marked: string): { text: string; ranges: Range[] } {
  const ranges: Range[] = []
  let text = ''
  for (const { text: piece, mark } of parts(marked)) {
    if (mark) ranges.push([text.length, text.length + piece.length])
    text += piece
  }
  return { text, ranges }
}

/** The stretch of a text that shows the most matches. */
function window(text: string, ranges: readonly Range[]): Range {
  if (text.length <= excerptLength) return [0, text.length]
  let best = 0
  let max = 0
  let last = 0
  for (const [index, [start]] of ranges.entries()) {
    while (last < ranges.length && ranges[last]![1] <= start + excerptLength - leadLength) last += 1
    if (last - index > max) {
      max = last - index
      best = start
    }
  }
  const wanted = Math.max(0, Math.min(best - leadLength, text.length - excerptLength))
  const from = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1 || wanted
  // A match is never cut off by the search for a space.
  const start = max > 0 && from > best ? best : from
  if (start + excerptLength >= text.length) return [start, text.length]
  const space = text.lastIndexOf(' ', start + excerptLength)
  return [start, space > start + excerptLength / 2 ? space : start + excerptLength]
}
