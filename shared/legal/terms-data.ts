import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'

/** What the terms of service take from settings: what cancelling a booking costs, in sentences; and which versions are `kept`. */
export const getTermsData = endpoint({
  method: 'GET',
  path: '/api/legal/terms',
  input: z.object({}),
  output: json<{ cancellation: string[]; kept: string[] }>(),
})
