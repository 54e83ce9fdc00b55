import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'

/** What of the configuration every visitor may know; the same for all of them. */
export type SiteConfig = {
  /** Where the newsletter form posts to, and for which list. */
  newsletter: { action: string; list: string; own: boolean }
  /** Measuring services, which load after an explicit grant only; null without any. */
  analytics: {
    measurementId: string | null
    stats: { script: string; website: string | null } | null
  } | null
}

/** The public part of the configuration. */
export const getSiteConfig = endpoint({
  method: 'GET',
  path: '/api/site-config',
  input: z.object({}),
  output: json<SiteConfig>(),
})
