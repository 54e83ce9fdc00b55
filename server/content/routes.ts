import {
  getHero,
  getMenu,
  getSettings,
  latestNews,
  listServices,
  listTestimonials,
  type SiteSettings,
  type Testimonial,
} from '#shared/content.ts'
import type { Http, Platform } from '../feature.ts'
import { assetFileRoutes } from './assets.ts'
import { heroFor } from './hero.ts'
import { itemRoutes } from './items.ts'
import { publicPart } from './rows.ts'

/** What pages ask the content service for, its read API and its files. */
export function contentRoutes(
  platform: Pick<Platform, 'clock' | 'config' | 'content' | 'log'>,
  { endpoints, limit, mount }: Pick<Http, 'endpoints' | 'limit' | 'mount'>,
): void {
  const { content, clock } = platform
  const rules = { limit: 'read', access: 'public' } as const
  endpoints.serve(getMenu, rules, async () => [...(await content.rows('menu_main'))])
  endpoints.serve(getSettings, rules, async () => {
    const [settings] = await content.rows('settings')
    return settings ? (publicPart('settings', settings) as SiteSettings) : null
  })
  endpoints.serve(listServices, rules, async () => [...(await content.rows('services'))])
  endpoints.serve(getHero, rules, ({ variant }) => heroFor(variant, clock(), content))
  endpoints.serve(listTestimonials, rules, async () =>
    (await content.rows('testimonials')).map(
      (row) => publicPart('testimonials', row) as Testimonial,
    ),
  )
  endpoints.serve(latestNews, rules, async () => {
    const articles = (await content.rows('news')).slice(0, 3)
    return Promise.all(
      articles.map(async ({ slug, title, excerpt, category, author, published_at, image }) => ({
        slug,
        title,
        excerpt: excerpt ?? '',
        category: category ?? null,
        author: author ?? null,
        publishedAt: published_at,
        picture: await content.picture(image),
      })),
    )
  })
  mount(itemRoutes(platform, limit))
  mount(assetFileRoutes(platform, limit))
}
