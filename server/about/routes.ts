import { getAbout } from '#shared/about.ts'
import { paths } from '#shared/paths.ts'
import { withTimeout } from '../timeout.ts'
import type { Content } from '../content/source.ts'
import type { Http } from '../feature.ts'
import type { FaqFeature } from '../faq/feature.ts'

/** What the page is made from. */
export type AboutDeps = { content: Content; faq: Pick<FaqFeature, 'questionsOn'> }

/** The people and the work behind the agency. */
export function aboutRoutes(
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
      (featured.length > 0 ? featured : portfolio).slice(0, 3).map(async (row) => {
        const picture = await content.picture(row.image)
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
