import { licenceTexts } from '#shared/shop/licence-texts.ts'
import { htmlToText } from '../../text/html-to-text.ts'
import { nearestOf } from '../../text/edit-distance.ts'
import type { ListedProduct } from './listed-products.ts'

/** What a search has found, the best matches first. */
export type FoundProducts = {
  readonly found: readonly ListedProduct[]
  /** The query as it was searched, where a word of it is in no product; else null. */
  readonly corrected: string | null
}

/** How much a word counts by where it is. */
const weights = { title: 12, tags: 6, variants: 6, group: 4, summary: 3, description: 1 } as const

/** How much of that counts for the beginning of a word. */
const begun = 0.8

/** Words of a query that are looked for; more would only make it slow. */
const maxWords = 10

/** Shorter words have too many neighbours to guess what was meant. */
const minGuessLength = 4

/** Letters that a typing error adds or leaves out, at most. */
const maxSlips = 2

/** What words a group of the shop is also looked for by. */
const groups = {
  prints: 'print prints',
  licences: 'photo licence licences license licensing',
  files: 'digital file files download',
  services: 'service services',
  physical: 'post delivery',
  digital: 'download digital',
  service: 'service',
} as const

/** Every word of some products, with how much it counts for each of them. */
type Index = ReadonlyMap<string, ReadonlyMap<ListedProduct, number>>

/**
 * Makes the search within the shop. It knows titles, tags, variants, groups, licences, summaries and
 * descriptions. A word of a query may be the beginning of one; where nothing begins with it, its middle
 * or one with typing errors. The words of a list are read with its first search.
 */
export function createProductSearch() {
  let known: { of: readonly ListedProduct[]; index: Index } | null = null
  /** Descriptions are long and seldom change, so their words outlive a change of the list. */
  let texts = new Map<string, readonly string[]>()

  const indexOf = (all: readonly ListedProduct[]): Index => {
    if (known?.of === all) return known.index
    const descriptions = new Map<string, readonly string[]>()
    const index = new Map<string, Map<ListedProduct, number>>()
    for (const listed of all) {
      const { description } = listed.product
      const said = texts.get(description) ?? wordsOf(htmlToText(description))
      descriptions.set(description, said)
      for (const [word, weight] of wordsOfProduct(listed, said)) {
        const uses = index.get(word) ?? new Map<ListedProduct, number>()
        uses.set(listed, Math.max(weight, uses.get(listed) ?? 0))
        index.set(word, uses)
      }
    }
    texts = descriptions
    known = { of: all, index }
    return index
  }

  return {
    /** @returns the products that have every word of a query; all of them for a query without one */
    search(all: readonly ListedProduct[], query: string | undefined): FoundProducts {
      const words = wordsOf(query ?? '').slice(0, maxWords)
      if (words.length === 0) return { found: all, corrected: null }
      const index = indexOf(all)
      const searched: string[] = []
      let points: ReadonlyMap<ListedProduct, number> | null = null
      for (const word of words) {
        const [meant, uses] = usesOf(index, word)
        searched.push(meant)
        points = points === null ? uses : added(points, uses)
        // Every word has to be there, so no further one is looked for, or guessed.
        if (points.size === 0) break
      }
      const ranked = [...points!].toSorted(([, a], [, b]) => b - a).map(([listed]) => listed)
      const isCorrected = ranked.length > 0 && searched.some((word, at) => word !== words[at])
      return { found: ranked, corrected: isCorrected ? searched.join(' ') : null }
    },
  }
}

/**
 * Words that a search of some products finds, one for each group of the shop, as examples of what to
 * type.
 */
export function searchExamples(all: readonly ListedProduct[]): string[] {
  const byGroup = new Map<string, string>()
  for (const { product } of all) {
    const [tag] = product.tags
    const isNew = tag !== undefined && ![...byGroup.values()].includes(tag)
    if (isNew && !byGroup.has(product.category)) byGroup.set(product.category, tag)
  }
  return [...byGroup.values()].slice(0, 3)
}

/** The words of a text as they are compared: small letters without their marks. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function* wordsOfProduct(
  { product }: ListedProduct,
  description: readonly string[],
): Generator<[string, number]> {
  const { title, tags, variants, summary, category, kind, licence } = product
  const licenceName = licence === null ? undefined : licenceTexts[licence]?.name
  for (const [text, weight] of [
    [title, weights.title],
    [tags.join(' '), weights.tags],
    [variants.map((variant) => variant.title).join(' '), weights.variants],
    [`${groups[category]} ${groups[kind]} ${licenceName ?? ''}`, weights.group],
    [summary, weights.summary],
  ] as const) {
    for (const word of wordsOf(text)) yield [word, weight]
  }
  for (const word of description) yield [word, weights.description]
}

/** The products that have a word, or what was meant by it, with their points. */
function usesOf(index: Index, word: string): [string, ReadonlyMap<ListedProduct, number>] {
  const share = (known: string) => (known === word ? 1 : known.startsWith(word) ? begun : 0)
  const points = pointsOf(index, share)
  if (points.size > 0 || word.length < minGuessLength) return [word, points]
  // In the middle of a word, as in compounds; were it looked for at once, "ice" would find services.
  const inside = pointsOf(index, (known) => (known.includes(word) ? 1 : 0))
  if (inside.size > 0) return [word, inside]
  const near = index.keys().filter((known) => Math.abs(known.length - word.length) <= maxSlips)
  const nearest = nearestOf(word, near)
  return nearest === null ? [word, points] : [nearest, usesOf(index, nearest)[1]]
}

/** @param share how much each word of the products counts */
function pointsOf(index: Index, share: (known: string) => number): Map<ListedProduct, number> {
  const points = new Map<ListedProduct, number>()
  for (const [known, uses] of index) {
    const part = share(known)
    if (part === 0) continue
    for (const [listed, weight] of uses) {
      points.set(listed, Math.max(weight * part, points.get(listed) ?? 0))
    }
  }
  return points
}

/** The products of both, with the points of both. */
function added(
  some: ReadonlyMap<ListedProduct, number>,
  others: ReadonlyMap<ListedProduct, number>,
): Map<ListedProduct, number> {
  const both = new Map<ListedProduct, number>()
  for (const [listed, points] of some) {
    const more = others.get(listed)
    if (more !== undefined) both.set(listed, points + more)
  }
  return both
}
