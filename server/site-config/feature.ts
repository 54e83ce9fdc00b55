import { newsletterPaths, ownList } from '#shared/newsletter.ts'
import { getSiteConfig, type SiteConfig } from '#shared/site-config.ts'
import type { Config } from '../config.ts'
import type { Feature, Platform } from '../feature.ts'

/** Picks what every visitor may know out of the configuration. */
function publicConfig({
  newsletter,
  analyticsId,
  stats,
}: Pick<Config, 'newsletter' | 'analyticsId' | 'stats'>): SiteConfig {
  return {
    newsletter: {
      action: newsletter.url ?? newsletterPaths.form(),
      list: newsletter.list ?? ownList,
      own: newsletter.url === null,
    },
    analytics: analyticsId || stats ? { measurementId: analyticsId, stats } : null,
  }
}

/** What every visitor may know of the configuration. */
export const siteConfigFeature = ({ config }: Platform): Feature => ({
  name: 'site-config',
  routes({ endpoints }) {
    const answer = publicConfig(config)
    endpoints.serve(getSiteConfig, { limit: 'read', access: 'public' }, () => answer)
  },
})
