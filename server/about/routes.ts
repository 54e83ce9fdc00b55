import { getAbout } from '#shared/about.ts'
import { paths } from '#shared/paths.ts'
import type { Context } from '../context.ts'
import { withTimeout } from '../timeout.ts'
import type { Endpoints } from '../http/endpoints.ts'
import { questionsOn } from '../services/questions.ts'

/** The people and the work behind the agency. */
export function aboutRoutes({ content }: Pick<Context, 'content'>, endpoints: Endpoints): void {
  endpoints.serve(getAbout, { limit: 'read', access: 'public' }, async () => {
    let complete = true
    const orNone = () => {
      complete = false
      return []
    }
    const [team, testimonials, services, portfolio, faq] = await Promise.all([
      withTimeout(content.rows('team')).catch(orNone),
      withTimeout(content.rows('testimonials')).catch(orNone),
      withTimeout(content.rows('services')).catch(orNone),
      withTimeout(content.rows('portfolio')).catch(orNone),
      withTimeout(questionsOn(paths.about(), content)).catch(orNone),
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
        services: services.length,
        projects: portfolio.length,
        disciplines: disciplines.size,
      },
      pictures: pictures.filter((picture) => picture !== null),
      complete,
    }
  })
}
