import { paths, servicePath } from '#shared/paths.ts'
import { noneIfWithheld } from '../content/unavailable.ts'
import type { Feature, Platform } from '../feature.ts'
import { sitemapEntry } from '../sitemap-entry.ts'
import { createServiceList, type OfferedService } from './bookable.ts'
import { serviceRoutes, type ServiceNeeds } from './routes.ts'
import { serviceList, serviceNames, serviceSearch, type ServiceName } from './search.ts'
import { fallbackServices } from './fallback-services.ts'

/** The services of the agency (docs/contract.md, Pages). */
export type ServiceFeature = Feature & {
  /** The services in their order, with their prices. */
  readonly offered: () => Promise<OfferedService[]>
  /** How services are called. */
  names(): Promise<ServiceName>
  /** The services that have a page, whatever the content service says, by their names in addresses. */
  readonly slugs: readonly string[]
}

/** Makes the feature over the collection `services`. */
export function serviceFeature({ content, clock }: Platform, needs: ServiceNeeds): ServiceFeature {
  const slugs = fallbackServices.map(({ slug }) => slug)
  const pages = slugs.map((slug) => paths.service(slug))
  return {
    name: 'services',
    offered: createServiceList(content, clock),
    names: () => serviceNames(content),
    slugs,
    pages,
    async sitemap() {
      const rows = await content.rows('services').catch(noneIfWithheld)
      return rows
        .map(({ url, image }) => sitemapEntry(servicePath(url), { picture: image }))
        .filter(({ path }) => pages.includes(path))
    },
    overview: [
      {
        heading: 'Services',
        read: async () =>
          (await content.rows('services'))
            .map(({ title, url, description }) => ({
              text: title,
              path: servicePath(url),
              about: description,
            }))
            .filter(({ path }) => pages.includes(path)),
      },
    ],
    routes: (http) => serviceRoutes(http, { content, ...needs }),
    search: [serviceSearch(content)],
    searchPages: async () => [await serviceList(content)],
  }
}
