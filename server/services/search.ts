import type { Row } from '../collections.ts'
import { paths, servicePath } from '#shared/paths.ts'
import { serviceSlug } from '#shared/text/slug.ts'
import type { Content } from '../content/source.ts'
import {
  pageTimeout,
  searchPage,
  searchText,
  type SearchDocument,
  type SearchSource,
} from '../contributions/search-source.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { fallbackServices } from './fallback-services.ts'

/** The name of a service as readers know it, from any way in which rows name it; null for none. */
export type ServiceName = (stored: string | null | undefined) => string | null

/** What is searchable of services. */
export const serviceSearch = (content: Content): SearchSource => ({
  kind: 'services',
  label: 'Services',
  read: async () =>
    (await content.stored('services')).map(({ row, stored }) => {
      const { id, title, description, url, headline, intro, deliverables, process, image } =
        row as Row<'services'>
      return {
        id: String(id),
        title,
        tags: searchText(headline, deliverables),
        intro: searchText(
          description,
          intro,
          process?.flatMap((step) => [step.title, step.text]),
        ),
        path: servicePath(url),
        picture: image ?? null,
        body: () => content.storedText('services', stored),
      }
    }),
})

/** The list of services on the home page. */
export async function serviceList(content: Pick<Content, 'rows'>): Promise<SearchDocument> {
  const rows = await withTimeout(content.rows('services'), pageTimeout).catch(() => [])
  return searchPage(
    paths.services(),
    { title: 'Motorsport media services' },
    {
      names: ['motorsport', 'services', 'media services', 'prices'],
      intro: searchText(rows.map(({ title }) => title)),
    },
  )
}

/** Reads how services are called. */
export async function serviceNames(content: Pick<Content, 'rows'>): Promise<ServiceName> {
  const rows = await content.rows('services').catch(() => [])
  const titles = new Map([
    ...fallbackServices.map(({ slug, title }) => [slug, title] as const),
    ...rows.map(({ url, title }) => [serviceSlug(url), title] as const),
  ])
  return (stored) => {
    const slug = serviceSlug(stored)
    if (!slug) return null
    // What names no service is at least no slug to read.
    return titles.get(slug) ?? slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ')
  }
}
