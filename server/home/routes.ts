import { getHero, listTestimonials, type Testimonial } from '#shared/home.ts'
import { publicPart } from '../content/published/rows.ts'
import type { Http, Platform } from '../feature.ts'
import { heroFor } from './hero.ts'

/** The parts of the home page that are its own. */
export function homeRoutes(
  { content, clock }: Pick<Platform, 'clock' | 'content'>,
  { endpoints }: Pick<Http, 'endpoints'>,
): void {
  const rules = { limit: 'read', access: 'public' } as const
  endpoints.serve(getHero, rules, ({ variant }) => heroFor(variant, clock(), content))
  endpoints.serve(listTestimonials, rules, async () =>
    (await content.rows('testimonials')).map(
      (row) => publicPart('testimonials', row) as Testimonial,
    ),
  )
}
