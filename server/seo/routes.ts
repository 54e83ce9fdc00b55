import { Router, type Request, type Response } from 'express'
import { getSeo } from '#shared/seo-lookup.ts'
import type { Http, Platform } from '../feature.ts'
import { createLookup } from './lookup.ts'
import type { Sitemap } from './sitemap.ts'

/**
 * The SEO lookup of pages, and the sitemap trigger: any path that ends in /generate-sitemap
 * (docs/contract.md, SEO and feeds) answers `{success, generatedAt, urls, cached}`, or 503 while
 * the old files stay.
 */
export function seoRoutes(
  { content, log }: Pick<Platform, 'content' | 'log'>,
  { endpoints, limit, mount, refreshFiles }: Http,
  { files, generate }: Sitemap,
): void {
  const lookup = createLookup({ content, log })
  endpoints.serve(getSeo, { limit: 'read', access: 'public' }, ({ path }) => lookup(path))

  const answer = async (_request: Request, response: Response) => {
    const report = await generate({ refresh: () => refreshFiles(files.name) })
    response.setHeader('Cache-Control', 'no-store')
    response.json({ success: true, ...report })
  }
  const router = Router()
  const trigger = /^(?:\/[\w.~-]+)*\/generate-sitemap$/
  router.get(trigger, limit('read'), answer)
  router.post(trigger, limit('read'), answer)
  mount(router)
}
