import { getMenu, getSettings, type SiteSettings } from '#shared/content.ts'
import type { Http, Platform } from '../feature.ts'
import { assetFileRoutes } from './assets/assets.ts'
import type { ResizedImages } from './assets/resized-images.ts'
import { menuAddress } from './menu-address.ts'
import { publicPart } from './published/rows.ts'
import { itemRoutes } from './read-api/items.ts'

/** What the frame of every page asks the content service for, its read API and its files. */
export function contentRoutes(
  platform: Pick<Platform, 'clock' | 'config' | 'content' | 'log'> & { pictures: ResizedImages },
  { endpoints, limit, mount }: Pick<Http, 'endpoints' | 'limit' | 'mount'>,
): void {
  const { content } = platform
  const rules = { limit: 'read', access: 'public' } as const
  endpoints.serve(getMenu, rules, async () => {
    const rows = await content.rows('menu_main')
    return rows.map((row) => ({ ...row, url: row.url && menuAddress(row.url) }))
  })
  endpoints.serve(getSettings, rules, async () => {
    const [settings] = await content.rows('settings')
    return settings ? (publicPart('settings', settings) as SiteSettings) : null
  })
  mount(itemRoutes(platform, limit))
  mount(assetFileRoutes(platform, limit))
}
