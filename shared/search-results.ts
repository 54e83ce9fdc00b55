import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'

/** Results on one page. */
export const resultsPerPage = 20

/** A piece of text; marked where it matches the term. */
export type TextPart = { text: string; mark: boolean }

/** A kind of results, as it is in `?type=`, and the word on its tab. */
export type ResultKind = { kind: string; label: string }

/** One result. */
export type SearchResult = ResultKind & {
  path: string
  title: TextPart[]
  excerpt: TextPart[]
  /** ISO date of what has one. */
  date: string | null
  /** The address of a thumbnail, 192 × 128; null for what has no picture. */
  picture: string | null
}

/** The answer to a search. */
export type SearchResults = {
  /** As searched for; empty when there was none. */
  term: string
  /** What is wrong with the term; nothing is searched then. */
  message: string | null
  /** Results of every kind. */
  total: number
  /** How many results each kind has; only kinds with any, in the order of the tabs. */
  kinds: (ResultKind & { count: number })[]
  /** The kind that is shown alone. */
  type: string | null
  /** The word on its tab. */
  typeLabel: string | null
  page: number
  pages: number
  results: SearchResult[]
  /** Another term that finds something, when this one does not. */
  suggestion: string | null
  /** Kinds that cannot be searched right now, in the order of the tabs. */
  unsearched: string[]
}

/**
 * Searches the public site. A wrong term is no error: the answer carries its message. An unknown
 * kind counts as all, a page beyond the end as the last one.
 */
export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  input: z.object({
    q: z._default(z.string(), ''),
    type: z._default(z.string(), ''),
    // oxlint-disable-next-line promise/valid-params -- no promise
    page: z.catch(z.coerce.number().check(z.int(), z.gte(1)), 1),
  }),
  output: json<SearchResults>(),
})
