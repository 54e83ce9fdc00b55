import { expect } from 'vitest'
import type { SearchResults, TextPart } from '#shared/search-results.ts'
import { contentFiles, type ContentFiles } from './content-files.ts'
import { startSite, type Site } from './site.ts'

/** An article of the searched content. */
export const news = (id: number, title: string, more: Record<string, unknown> = {}) => ({
  id,
  slug: `article-${id}`,
  title,
  excerpt: '',
  published_at: '2026-11-01T08:00:00Z',
  status: 'published',
  ...more,
})

/** Content with something to find in every collection. */
export const sample = () =>
  contentFiles({
    'news.json': [
      news(1, 'Kaamos on the podium in Jyväskylä', {
        content:
          '<p>The first <strong>gravel</strong> of R&amp;D day.</p><p>An on-board camera.</p><script>secretword()</script><!-- hiddenword -->',
      }),
      news(2, 'Lake ice', {
        excerpt: 'Driving on frozen water',
        tags: ['Winter'],
        category: 'Handbook',
      }),
      news(3, 'A winter film', { content: { $file: 'news/film.html' } }),
      news(4, 'Draftword', { status: 'draft' }),
      news(5, 'Embargoword', { published_at: '2026-11-21T08:00:00Z' }),
    ],
    'news/film.html': '<p>Filmed from a helicopter over Pielisjärvi.</p>',
    'services.json': [
      { id: 1, title: 'Photography', description: 'Stills of racing', url: 'photography', sort: 1 },
    ],
    'portfolio.json': [
      {
        id: 1,
        slug: 'blue-hour',
        title: 'Blue hour',
        description: 'A winter picture',
        client: 'Kaamos Rallisport',
        location: 'Rovaniemi',
      },
    ],
    'faq.json': [
      { id: 1, question: 'Do you travel?', answer: '<p>To <em>Lapland</em> too.</p>', sort: 1 },
    ],
    'team.json': [{ id: 1, name: 'Saara Niemelä', role: 'Editor', bio: 'Cuts films.' }],
  })

/** A site with these content files. */
export const siteOf = (files: ContentFiles) => startSite({ env: { CONTENT_DIR: files.dir } })

/** Asks the search; every answer is a good one. */
export async function ask(site: Site, q: string, more: Record<string, string | number> = {}) {
  const query = new URLSearchParams({ q })
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  const reply = await site.get(`/api/search?${query.toString()}`)
  expect(reply.status, `${q}: ${reply.text}`).toBe(200)
  return reply.json as SearchResults
}

/** The words of a marked text. */
export const textOf = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('')
/** The titles of what was found. */
export const titles = ({ results }: SearchResults) => results.map(({ title }) => textOf(title))
/** What is marked of a text. */
export const markedIn = (parts: readonly TextPart[]) =>
  parts.filter(({ mark }) => mark).map(({ text }) => text)
