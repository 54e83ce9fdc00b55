import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import { collectPath, countedEvents, longestSlug, pageKinds } from './page-kinds.ts'
import { visitSource } from './visit-source.ts'

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
    item: z.optional(z.string().check(z.maxLength(longestSlug))),
    visit: z.optional(visitSource),
  }),
  output: json<{ success: true }>(() => 202),
})
