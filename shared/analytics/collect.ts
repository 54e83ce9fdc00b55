import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import { collectPath, countedEvents, maxSlugLength, pageKinds } from './page-kinds.ts'
import { maxHostLength, maxPartLength } from './visit-source.ts'

/**
 * Where a visit came from. It is told once with the view that begins the visit, and again with what
 * the visit ended in; nothing in it is about the visitor.
 */
const visitSource = z.object({
  /** The host that led here; empty for none. */
  referrer: z.string().check(z.maxLength(maxHostLength)),
  source: z.optional(z.string().check(z.maxLength(maxPartLength))),
  medium: z.optional(z.string().check(z.maxLength(maxPartLength))),
  campaign: z.optional(z.string().check(z.maxLength(maxPartLength))),
  /** The kind of the page on which it began. */
  landing: z.enum(pageKinds),
})

/** Where a visit came from, as the browser tells it. */
export type VisitSource = z.infer<typeof visitSource>

/**
 * Counts that a kind of page was seen or used; carries nothing about who it was. `item` is the slug of
 * the article, service, case or product; `visit` comes with the view that begins a visit, and with
 * what a visit ended in.
 */
export const collect = endpoint({
  method: 'POST',
  path: collectPath,
  input: z.object({
    page: z.enum(pageKinds),
    event: z.enum(countedEvents),
    item: z.optional(z.string().check(z.maxLength(maxSlugLength))),
    visit: z.optional(visitSource),
  }),
  output: json<{ success: true }>(() => 202),
})
