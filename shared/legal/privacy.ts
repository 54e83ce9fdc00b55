import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { Retention } from './retention.ts'

/** What the server keeps of people, in the order of the privacy policy. */
export const getRetention = endpoint({
  method: 'GET',
  path: '/api/privacy/retention',
  input: z.object({}),
  output: json<{ rows: Retention[] }>(),
})
