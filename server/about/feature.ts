import { paths } from '#shared/paths.ts'
import type { Feature, Platform, Http } from '../feature.ts'
import { mainPages } from '../contributions/overview.ts'
import { aboutTexts } from '#shared/about-texts.ts'
import { officesOf } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import {
  pageTimeout,
  searchPage,
  searchText,
  type SearchDocument,
} from '../contributions/search-source.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { getAbout } from '#shared/about.ts'
import type { FaqFeature } from '../faq/feature.ts'

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

/** The page about the agency, with its people and offices. */
async function aboutPage(content: Pick<Content, 'rows'>): Promise<SearchDocument> {
  const [[settings], team] = await Promise.all([
    withTimeout(content.rows('settings'), pageTimeout).catch(() => []),
    withTimeout(content.rows('team'), pageTimeout).catch(() => []),
  ])
  const people = team.flatMap(({ name, role, bio }) => [name, role ?? '', bio ?? ''])
  return searchPage(paths.about(), aboutTexts, {
    names: ['about', 'team', 'people', 'company', 'who we are'],
    intro: searchText(settings?.about, people, settings?.brand, officesOf(settings)),
  })
}

/** What the page is made from. */
type AboutDeps = { content: Content; faq: Pick<FaqFeature, 'questionsOn'> }

/** The people and the work behind the agency. */
function aboutRoutes(
  { endpoints }: Pick<Http, 'endpoints'>,
  { content, faq: { questionsOn } }: AboutDeps,
): void {
  endpoints.serve(getAbout, { limit: 'read', access: 'public' }, async () => {
    let complete = true
    const orNone = () => {
      complete = false
      return []
    }
    const [team, testimonials, offered, portfolio, faq] = await Promise.all([
      withTimeout(content.rows('team')).catch(orNone),
      withTimeout(content.rows('testimonials')).catch(orNone),
      withTimeout(content.rows('services')).catch(orNone),
      withTimeout(content.rows('portfolio')).catch(orNone),
      withTimeout(questionsOn(paths.about())).catch(orNone),
    ])
    const disciplines = new Set(portfolio.map(({ discipline }) => discipline).filter(Boolean))
    const featured = portfolio.filter(({ featured: isFeatured }) => isFeatured)
    const pictures = await Promise.all(
      // Not those that lead the portfolio, which most visitors have just seen.
      (featured.length > 0 ? featured : portfolio)
        .slice(-3)
        .toReversed()
        .map(async (row) => {
          const inside = row.images?.find((each) => each !== row.image)
          const picture = await content.picture(inside ?? row.image)
          return picture && { ...picture, title: row.title, slug: row.slug }
        }),
    )
    return {
      team: await Promise.all(
        team.map(async ({ name, role = null, bio = null, photo }) => ({
          name,
          role,
          bio,
          photo: await content.picture(photo),
        })),
      ),
      testimonials: testimonials.map(
        ({ quote, name, role = null, company = null, source = null }) => ({
          quote,
          name,
          role,
          company,
          source,
        }),
      ),
      faq,
      counts: {
        services: offered.length,
        projects: portfolio.length,
        disciplines: disciplines.size,
      },
      pictures: pictures.filter((picture) => picture !== null),
      complete,
    }
  })
}
