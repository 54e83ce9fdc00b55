import type { Picture } from '#shared/content.ts'
import { paths } from '#shared/paths.ts'
import type { Feature, Platform, Http } from '../feature.ts'
import { mainPages } from '../contributions/overview.ts'
import { pageTimeout, searchPage } from '../contributions/search-source.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { getHero, listTestimonials, type Testimonial, type Hero } from '#shared/home.ts'
import { publicPart } from '../content/published/rows.ts'
import type { Row } from '../collections.ts'
import type { Content } from '../content/source.ts'

/** The home page (docs/contract.md, Pages); what it shows of others, they give. */
export const homeFeature = (platform: Platform): Feature => ({
  name: 'home',
  routes: (http) => homeRoutes(platform, http),
  pages: [paths.home()],
  searchPages: async () => {
    const { content } = platform
    const [settings] = await withTimeout(content.rows('settings'), pageTimeout).catch(() => [])
    return [
      searchPage(
        paths.home(),
        { title: settings?.brand ?? 'Home' },
        { names: ['home', 'home page', 'start'], intro: settings?.tagline ?? '' },
      ),
    ]
  },
  overview: [
    {
      heading: mainPages,
      read: () => [
        { text: 'Home', path: paths.home(), about: 'services, latest work and contact' },
      ],
    },
  ],
})

/** The parts of the home page that are its own. */
function homeRoutes(
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

/** How long the same number draws the same hero, in milliseconds; pages are kept as long. */
const turnMs = 10 * 60_000
/** How far a turn moves on: a prime, so every pair has its turn. */
const turnStep = 997

/**
 * The hero for a number: its text from one published record, its photo from a different one when
 * there are several. Consecutive numbers give all texts evenly, with all photos evenly beside each;
 * as time goes on, so does every single number, since pages keep a few of them.
 * @param variant any whole number from 0; the random choice is its sender's
 * @param now milliseconds of the epoch
 * @returns null when no record is published
 */
async function heroFor(
  variant: number,
  now: number,
  content: Pick<Content, 'rows' | 'picture'>,
): Promise<Hero | null> {
  const published = await content.rows('section_hero')
  // One whose photo isn't there, such as by a misspelt name, has none to lend.
  const records = await Promise.all(
    published.map(async (row) => ({ ...row, photo: await content.picture(row.photo_url) })),
  )
  const chosen = choose(records, Math.floor(variant) + Math.floor(now / turnMs) * turnStep)
  if (!chosen) return null
  const { text, photo } = chosen
  return {
    title: text.title ?? null,
    subtitle: text.subtitle ?? null,
    buttonText: text.button_text ?? null,
    buttonUrl: text.button_url ?? null,
    photo,
  }
}

function choose(
  records: readonly (Row<'section_hero'> & { photo: Picture | null })[],
  draw: number,
) {
  const place = draw % records.length
  const text = records[place]
  if (!text) return null
  const others = records.filter((each) => each !== text && each.photo)
  // The place keeps the first photo from standing beside every text.
  const other = others[(place + Math.floor(draw / records.length)) % others.length]
  return { text, photo: (other ?? text).photo }
}
