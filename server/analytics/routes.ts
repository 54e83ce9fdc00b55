import { isbot } from 'isbot'
import { collect } from '#shared/collect.ts'
import type { Context } from '../context.ts'
import type { Endpoints } from '../http/endpoints.ts'
import { createPageCounts } from './store.ts'

/**
 * Our own anonymous counting: how often a kind of page was seen or used in a day. There are as many
 * rows in a day as there are kinds and events, however much is sent.
 */
export function analyticsRoutes(context: Context, endpoints: Endpoints): void {
  const counts = createPageCounts(context.db, context)
  endpoints.serve(
    collect,
    { limit: 'collect', access: 'public' },
    async ({ page, event }, { userAgent }) => {
      if (userAgent && !isbot(userAgent.slice(0, 400))) {
        await context.commit((tx) => counts.add(tx, page, event), { durable: false })
      }
      return { success: true as const }
    },
  )
}
