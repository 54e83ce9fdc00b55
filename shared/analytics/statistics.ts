import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { PageKind, ReadKind } from './page-kinds.ts'
import type { Outcome } from './visit-source.ts'

/** The periods that can be chosen by name; `custom` goes by its first and last day. */
export const periods = ['7d', '30d', '12m', 'custom'] as const

/** One of {@link periods}. */
export type Period = (typeof periods)[number]

/** How often something was read. */
export type ReadLine = { kind: ReadKind; slug: string; title: string | null; views: number }

/** Visits from a source, and what they ended in. */
export type SourceLine = {
  /** The host, the campaign's parts, or the kind of the first page, in words. */
  name: string
  visits: number
} & Record<Outcome, number>

/** The numbers of a period. Days are of Helsinki. */
export type SiteStatistics = {
  /** First and last day, YYYY-MM-DD. */
  from: string
  to: string
  totals: { views: number; visits: number } & Record<Outcome, number>
  /** Every day of the period, or every month of a long one; `at` is YYYY-MM-DD or YYYY-MM. */
  over: { at: string; views: number; visits: number }[]
  /** Views by kind of page. */
  pages: { page: PageKind; views: number }[]
  /** Most read first, of each kind at most {@link maxLines}. */
  read: ReadLine[]
  referrers: SourceLine[]
  campaigns: SourceLine[]
  landings: SourceLine[]
}

/** Lines of each list at the desk; the command line shows all. */
export const maxLines = 15

/** A value that makes no sense in an address counts as not given. */
const orElse = z.catch

const day = orElse(z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))), undefined)

/** What the site counted of its visitors; for codes with the scope `desk`. */
export const getStatistics = endpoint({
  method: 'GET',
  path: '/api/desk/stats',
  input: z.object({
    period: orElse(z.optional(z.enum(periods)), undefined),
    from: day,
    to: day,
  }),
  output: json<SiteStatistics & { period: Period }>(),
})
