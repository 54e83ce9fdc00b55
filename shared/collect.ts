import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import { collectPath, countedEvents, pageKinds } from './page-kinds.ts'

/** Counts that a kind of page was seen or used; carries nothing about who it was. */
export const collect = endpoint({
  method: 'POST',
  path: collectPath,
  input: z.object({ page: z.enum(pageKinds), event: z.enum(countedEvents) }),
  output: json<{ success: true }>(() => 202),
})
