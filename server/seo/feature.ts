import type { Feature, Platform, Http } from '../feature.ts'
import { llmsFile } from './llms-file.ts'
import { iconFiles, shareFiles } from './picture-files.ts'
import { createSitemap, type Sitemap } from './sitemap.ts'
import { manifestFile, robotsFile } from './text-files.ts'
import type { Request, Response } from 'express'
import { getSeo } from '#shared/seo/seo-lookup.ts'
import { allowMethods } from '../http/methods.ts'
import { createLookup } from './lookup.ts'

/** What search engines get (docs/contract.md, SEO and feeds). */
export type SeoFeature = Feature & {
  /** Rebuilds the sitemap now. */
  readonly generateSitemap: Sitemap['generate']
}

/** Sitemap, robots.txt and share images; files are generated on request. */
export function seoFeature(platform: Platform): SeoFeature {
  const { content, log } = platform
  const list = createSitemap(platform)
  return {
    name: 'seo',
    generateSitemap: list.generate,
    routes: (http) => seoRoutes(platform, http, list),
    files: [
      list.files,
      robotsFile(platform),
      llmsFile(platform),
      manifestFile(content),
      shareFiles({ content, log }),
      iconFiles(),
    ],
  }
}

/**
 * The SEO lookup of pages, and the sitemap trigger: any path that ends in /generate-sitemap
 * (docs/contract.md, SEO and feeds) answers `{success, generatedAt, urls, cached}`, or 503 while
 * the old files stay.
 */
async function seoRoutes(
  { content, log }: Pick<Platform, 'content' | 'log'>,
  { endpoints, limit, mount, refreshFiles }: Http,
  { files, generate }: Sitemap,
): Promise<void> {
  const { Router } = await import('express')
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
  router.all(trigger, allowMethods(['GET', 'POST']))
  mount(router)
}
