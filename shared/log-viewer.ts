import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'

/** Whether this visitor may read the server's log, and whether this is development. */
export const getLogAccess = endpoint({
  method: 'GET',
  path: '/api/logs/access',
  input: z.object({}),
  output: json<{ development: boolean; server: boolean }>(),
})
