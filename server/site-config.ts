import { newsletterPaths, ownList } from '#shared/newsletter.ts'
import { getSiteConfig, type SiteConfig } from '#shared/site-config.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Endpoints } from './http/endpoints.ts'
import type { pagePolicy } from './http/guards.ts'

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

/** Where Stripe's own payment pages are; another base of its API has them beside it. */
const paymentOrigin = 'https://checkout.stripe.com'

/** The origins that the configuration adds to the policy of pages. */
export function configuredOrigins({
  newsletter,
  analyticsId,
  stats,
  stripe,
}: Pick<Config, 'newsletter' | 'analyticsId' | 'stats' | 'stripe'>): Parameters<
  typeof pagePolicy
>[1] {
  const statsOrigin = stats ? [new URL(stats.script).origin] : []
  return {
    form: [
      ...(newsletter.url ? [new URL(newsletter.url).origin] : []),
      // Without scripts the checkout's form itself is led on to the page of the payment service.
      ...(stripe ? [stripe.apiBase ? new URL(stripe.apiBase).origin : paymentOrigin] : []),
    ],
    script: [...(analyticsId ? ['https://www.googletagmanager.com'] : []), ...statsOrigin],
    connect: [
      ...(analyticsId
        ? [
            'https://www.googletagmanager.com',
            'https://*.google-analytics.com',
            'https://*.analytics.google.com',
          ]
        : []),
      ...statsOrigin,
    ],
  }
}

/** Mounts the public part of the configuration. */
export function siteConfigRoutes({ config }: Context, endpoints: Endpoints): void {
  const answer = publicConfig(config)
  endpoints.serve(getSiteConfig, { limit: 'read', access: 'public' }, () => answer)
}
