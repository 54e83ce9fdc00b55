import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'

/** Finds on one page of results. */
export const findsPerPage = 20

/** A piece of text; marked where it matches the term. */
export type TextPart = { text: string; mark: boolean }

/** A kind of finds, as it stands in `?type=`, and the word on its tab. */
export type FindKind = { kind: string; label: string }

/** One find. */
export type Find = FindKind & {
  path: string
  title: TextPart[]
  excerpt: TextPart[]
  /** ISO date of what has one. */
  date: string | null
}

/** The answer to a search. */
export type SearchResults = {
  /** As searched for; empty when there was none. */
  term: string
  /** What is wrong with the term; nothing is searched then. */
  message: string | null
  /** Finds of every kind. */
  total: number
  /** How many finds each kind has; only kinds with any, in the order of the tabs. */
  kinds: (FindKind & { count: number })[]
  /** The kind that is shown alone. */
  type: string | null
  /** The word on its tab. */
  typeLabel: string | null
  page: number
  pages: number
  finds: Find[]
  /** Another term that finds something, when this one does not. */
  suggestion: string | null
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
