import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import type { ServiceFeature } from '../services/feature.ts'
import { feedFiles } from './feed.ts'
import { iconFiles, shareFiles } from './picture-files.ts'
import { seoRoutes } from './routes.ts'
import { createSitemap, type Sitemap } from './sitemap.ts'
import { robotsFile, textFiles } from './text-files.ts'

/** What search engines and feed readers get (docs/contract.md, SEO and feeds). */
export type SeoFeature = Feature & {
  /** Makes the sitemap now. */
  readonly generateSitemap: Sitemap['generate']
}

/** Makes the feature; files are made when somebody asks for them. */
export function seoFeature(
  platform: Platform,
  services: Pick<ServiceFeature, 'slugs'>,
): SeoFeature {
  const { config, content, clock, log } = platform
  const servicePages = services.slugs.map((slug) => paths.service(slug))
  const list = createSitemap(platform)
  return {
    name: 'seo',
    generateSitemap: list.generate,
    routes: (http) => seoRoutes(platform, http, list),
    files: [
      list.files,
      feedFiles({ content, clock, config }),
      robotsFile(config),
      textFiles({ content, clock, config, servicePages }),
      shareFiles({ content, log }),
      iconFiles(),
    ],
  }
}
