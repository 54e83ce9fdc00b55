import { paths } from '#shared/paths.ts'
import type { ProjectCard } from '#shared/portfolio.ts'
import type { Feature, Platform } from '../feature.ts'
import { mainPages } from '../contributions/overview.ts'
import type { KnownServices } from '../services/feature.ts'
import { projectCard } from './cards.ts'
import { portfolioPage, portfolioSearch, portfolioSitemap } from './listings.ts'
import { createPortfolioIndex } from './portfolio-index.ts'
import { portfolioRoutes } from './routes.ts'

/** The portfolio (docs/contract.md, Pages), and the projects that pages of services show. */
export type PortfolioFeature = Feature & {
  /** The newest projects of a service. */
  ofService(slug: string, max: number): Promise<ProjectCard[]>
}

/** Projects and their pages, from the collection `portfolio`. */
export function portfolioFeature(
  { content }: Platform,
  services: Pick<KnownServices, 'names'>,
): PortfolioFeature {
  const index = createPortfolioIndex(content)
  return {
    name: 'portfolio',
    routes: (http) => portfolioRoutes(http, { content, index }),
    pages: [paths.portfolio()],
    sitemap: () => portfolioSitemap(content),
    overview: [
      {
        heading: mainPages,
        read: () => [
          {
            text: 'Portfolio',
            path: paths.portfolio(),
            about: 'selected work by service, discipline, series and year',
          },
        ],
      },
    ],
    search: [portfolioSearch(content, services)],
    searchPages: () => [portfolioPage],
    async ofService(slug, max) {
      const { all } = await index()
      const rows = all.filter(({ service }) => service === slug).slice(0, max)
      return Promise.all(rows.map(({ row }) => projectCard(row, content)))
    },
  }
}
