import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { PageSeo } from './head-tags.ts'

/** What the SEO collection says of a path: its own record, or the nearest one above; else null. */
export const getSeo = endpoint({
  method: 'GET',
  path: '/api/content/seo',
  input: z.object({ path: z.string().check(z.maxLength(2000)) }),
  output: json<PageSeo | null>(),
})
