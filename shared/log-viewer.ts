import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import { logLevels } from './log-line.ts'

const instant = z.optional(z.iso.datetime({ offset: true }))

/**
 * The server's log as it is kept in memory, oldest first, filtered. Scope `ops`, except in
 * development. Regular expressions are the viewer's affair: none from outside runs on the server.
 */
export const getLogLines = endpoint({
  method: 'GET',
  path: '/api/logs/lines',
  input: z.object({
    level: z.optional(z.enum(logLevels)),
    text: z.optional(z.string().check(z.maxLength(200))),
    from: instant,
    to: instant,
  }),
  output: json<{ lines: Readonly<Record<string, unknown>>[]; missed: number }>(),
})

/** Whether this visitor may read the server's log, and whether this is development. */
export const getLogAccess = endpoint({
  method: 'GET',
  path: '/api/logs/access',
  input: z.object({}),
  output: json<{ development: boolean; server: boolean }>(),
})
