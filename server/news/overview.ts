import { paths } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { mainPages, type OverviewPart } from '../overview.ts'

/** The list, the feed, and the newest articles. */
export const newsOverview = (content: Pick<Content, 'rows'>): OverviewPart[] => [
  {
    heading: mainPages,
    read: () => [
      {
        text: 'News',
        path: paths.news(),
        about: 'race reports, guides and notes from behind the scenes',
      },
      { text: 'RSS feed', path: paths.feed(), about: 'the newest articles in full' },
    ],
  },
  {
    heading: 'Latest news',
    read: async () =>
      (await content.rows('news')).slice(0, 10).map(({ title, slug, excerpt }) => ({
        text: title,
        path: paths.article(encodeURIComponent(slug)),
        about: excerpt,
      })),
  },
]
