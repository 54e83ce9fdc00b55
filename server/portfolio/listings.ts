import { portfolioTexts } from '#shared/portfolio-texts.ts'
import { paths } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { noneIfWithheld } from '../content/unavailable.ts'
import { searchPage, searchText, type SearchSource } from '../contributions/search-source.ts'
import type { KnownServices } from '../services/feature.ts'
import type { Row } from '../collections.ts'
import { html } from '../text/markup.ts'
import { quoteOf } from './cards.ts'
import { newestOf, sitemapEntry, type SitemapEntry } from '../contributions/sitemap-entry.ts'

/** Every project, and the list of them, which changes when its newest project appears. */
export async function portfolioSitemap(content: Pick<Content, 'rows'>): Promise<SitemapEntry[]> {
  const rows = await content.rows('portfolio').catch(noneIfWithheld)
  const projects = rows.map(({ slug, published_at: at, image }) =>
    sitemapEntry(paths.project(slug), { modifiedAt: at ? Date.parse(at) : null, picture: image }),
  )
  const modifiedAt = newestOf(projects.map((project) => project.modifiedAt))
  return [sitemapEntry(paths.portfolio(), { modifiedAt }), ...projects]
}

/** What the page of a project says beside its facts, as HTML. */
const caseText = (row: Row<'portfolio'>): string => {
  const quote = quoteOf(row)
  const lines = [
    ...(row.numbers ?? []).map(({ value, label }) => `${value} ${label}`),
    ...(quote ? [quote.quote, [quote.name, quote.role].filter(Boolean).join(', ')] : []),
    ...(row.credits ?? []).map(({ role, name }) => `${role}: ${name}`),
  ]
  return html`${lines.map((line) => html`<p>${line}</p>`)}`.markup
}

/** What is searchable of projects, with the names of their services. */
export const portfolioSearch = (
  content: Pick<Content, 'rows'>,
  services: Pick<KnownServices, 'names'>,
): SearchSource => ({
  kind: 'portfolio',
  label: 'Portfolio',
  showsTags: true,
  async read() {
    const [rows, service] = await Promise.all([content.rows('portfolio'), services.names()])
    return rows.map((row) => ({
      id: String(row.id),
      title: row.title,
      tags: searchText(
        row.client,
        service(row.service),
        row.discipline,
        row.series,
        row.year,
        row.location,
        row.event,
      ),
      intro: searchText(row.description),
      path: paths.project(row.slug),
      date: row.published_at ?? null,
      picture: row.image ?? row.images?.[0] ?? null,
      body: async () => caseText(row),
    }))
  },
})

/** The list of projects. */
export const portfolioPage = searchPage(paths.portfolio(), portfolioTexts, {
  names: ['work', 'projects', 'gallery', 'references', 'examples'],
})
