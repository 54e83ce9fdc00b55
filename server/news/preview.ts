import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'

/** How long a preview link opens its article, in milliseconds. */
const previewMs = 60 * 60_000

const purpose = 'news-preview'

/** A link that shows one article before it is public. */
export type PreviewLink = { url: string; until: string }

/**
 * Makes a preview link for an article, public or not, by its slug or a former one.
 * @returns the address on the public origin, and until when it works, as ISO time
 * @throws missing when there is no such article
 */
export async function previewOf(
  { content, config, keys, clock }: Pick<Platform, 'content' | 'config' | 'keys' | 'clock'>,
  given: string,
): Promise<PreviewLink> {
  const slug = await presentSlug(content, given)
  if (slug === null) throw failure('missing', { message: `Article not found: ${given}.` })
  const until = clock() + previewMs
  const token = `${until.toString(36)}.${keys.hash(purpose, signed(slug, until))}`
  return {
    url: `${config.siteUrl}${paths.article(slug)}?preview=${token}`,
    until: new Date(until).toISOString(),
  }
}

/** The slug of the article that has, or had, a slug; null for none. The page has the same order. */
async function presentSlug(content: Platform['content'], slug: string): Promise<string | null> {
  const shown = await content.rows('news')
  if (shown.some((row) => row.slug === slug) || (await content.hidden('news', { slug })))
    return slug
  const moved =
    shown.find((row) => row.old_slugs?.includes(slug)) ??
    (await content.hidden('news', { old_slugs: slug }))?.row
  return moved?.slug ?? null
}

/**
 * Until when a token opens the preview of an article, in milliseconds of the epoch; null for a
 * token that is over, made for another article, or not ours.
 */
export function previewEnd(
  { keys, clock }: Pick<Platform, 'keys' | 'clock'>,
  slug: string,
  token: string,
): number | null {
  const [, stamp = '', hash = ''] = token.match(/^([\da-z]{1,11})\.([\w-]{43})$/) ?? []
  const until = Number.parseInt(stamp, 36)
  if (!Number.isSafeInteger(until) || until <= clock()) return null
  return keys.matches(purpose, signed(slug, until), hash) ? until : null
}

const signed = (slug: string, until: number) => `${until}\n${slug}`
