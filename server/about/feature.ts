import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { mainPages } from '../overview.ts'
import { aboutRoutes, type AboutDeps } from './routes.ts'
import { aboutPage } from './search.ts'

/** The page about the agency (docs/contract.md, Pages). */
export const aboutFeature = ({ content }: Platform, faq: AboutDeps['faq']): Feature => ({
  name: 'about',
  pages: [paths.about()],
  searchPages: async () => [await aboutPage(content)],
  overview: [
    {
      heading: mainPages,
      read: () => [
        {
          text: 'About us',
          path: paths.about(),
          about: 'the team, the offices and what clients say',
        },
      ],
    },
  ],
  routes: (http) => aboutRoutes(http, { content, faq }),
})
