import type { BookableService } from '#shared/bookings/bookings.ts'
import { paths, servicePath } from '#shared/paths.ts'
import { noneIfWithheld } from '../content/unavailable.ts'
import type { Feature, Platform } from '../feature.ts'
import { sitemapEntry } from '../contributions/sitemap-entry.ts'
import { bareService, createServiceList } from './bookable.ts'
import { serviceRoutes, type ServiceDeps } from './routes.ts'
import { serviceList, serviceNames, serviceSearch, type ServiceName } from './search.ts'
import { fallbackServices } from './fallback-services.ts'

/** What other features may know of services. */
export type KnownServices = {
  /** The services in their order, with their prices. */
  readonly offered: () => Promise<BookableService[]>
  /** A service as it can be booked, whatever the content service says. */
  readonly bookable: (slug: string) => Promise<BookableService>
  /** How services are called. */
  names(): Promise<ServiceName>
  /** The services that have a page, whatever the content service says, by their names in addresses. */
  readonly slugs: readonly string[]
}

/**
 * Creates the list of services. It's separate from the feature, whose pages also show what other
 * features make of it.
 */
export function knownServices({ content, clock }: Platform): KnownServices {
  const offered = createServiceList(content, clock)
  return {
    offered,
    bookable: async (slug) =>
      (await offered()).find((each) => each.slug === slug) ?? bareService(slug),
    names: () => serviceNames(content),
    slugs: fallbackServices.map(({ slug }) => slug),
  }
}

/** The services of the agency (docs/contract.md, Pages). */
export type ServiceFeature = Feature & KnownServices

/** Services and their pages, from the collection `services`. */
export function serviceFeature(
  { content, clock }: Platform,
  known: KnownServices,
  deps: ServiceDeps,
): ServiceFeature {
  const pages = known.slugs.map((slug) => paths.service(slug))
  return {
    ...known,
    name: 'services',
    pages,
    async sitemap() {
      const rows = await content.rows('services').catch(noneIfWithheld)
      return rows
        .map(({ url, image }) => sitemapEntry(servicePath(url), { picture: image }))
        .filter(({ path }) => path.startsWith('/'))
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
            .filter(({ path }) => path.startsWith('/')),
      },
    ],
    routes: (http) => serviceRoutes(http, { content, clock, ...deps }),
    search: [serviceSearch(content)],
    searchPages: async () => [await serviceList(content)],
  }
}
