import { Router, type Request, type Response } from 'express'
import { getSeo } from '#shared/seo-lookup.ts'
import type { Context } from '../context.ts'
import type { Endpoints } from '../http/endpoints.ts'
import type { Limits } from '../http/limits.ts'
import { createLookup } from './lookup.ts'
import type { Sitemap } from './sitemap.ts'

/**
 * The SEO lookup of pages, and the sitemap trigger: any path that ends in /generate-sitemap
 * (docs/contract.md, SEO and feeds) answers `{success, generatedAt, urls, cached}`, or 503 while
 * the old files stay.
 */
export function seoRoutes(
  { content, log }: Pick<Context, 'content' | 'log'>,
  endpoints: Endpoints,
  limits: Pick<Limits, 'read'>,
  sitemap: Pick<Sitemap, 'generate'>,
): Router {
  const lookup = createLookup({ content, log })
  endpoints.serve(getSeo, { limit: 'read', access: 'public' }, ({ path }) => lookup(path))

  const generate = async (_request: Request, response: Response) => {
    const report = await sitemap.generate()
    response.setHeader('Cache-Control', 'no-store')
    response.json({ success: true, ...report })
  }
  const router = Router()
  const trigger = /^(?:\/[\w.~-]+)*\/generate-sitemap$/
  router.get(trigger, limits.read, generate)
  router.post(trigger, limits.read, generate)
  return router
}
