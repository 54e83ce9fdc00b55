import type { Feature, Platform } from '../feature.ts'
import { llmsFile } from './llms-file.ts'
import { iconFiles, shareFiles } from './picture-files.ts'
import { seoRoutes } from './routes.ts'
import { createSitemap, type Sitemap } from './sitemap.ts'
import { manifestFile, robotsFile } from './text-files.ts'

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
