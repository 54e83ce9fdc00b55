import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { DocumentVersion } from './legal.ts'

/**
 * What the terms of service take from settings: what cancelling a booking costs, in sentences; and every
 * version that was in force here, newest first, with whether its text can be read.
 */
export const getTermsData = endpoint({
  method: 'GET',
  path: '/api/legal/terms',
  input: z.object({}),
  output: json<{ cancellation: string[]; versions: (DocumentVersion & { isKept: boolean })[] }>(),
})
