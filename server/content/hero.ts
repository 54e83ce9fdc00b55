import type { Hero, Row } from '#shared/content.ts'
import type { Content } from './source.ts'

/**
 * The hero for a number: its text from one published record, its photo from a different one when
 * there are several (spec 3.1). Every combination is reached by some number.
 * @param variant any whole number from 0; the random choice is its sender's
 * @returns null when no record is published
 */
export async function heroFor(
  variant: number,
  content: Pick<Content, 'rows' | 'picture'>,
): Promise<Hero | null> {
  const published = await content.rows('section_hero')
  const chosen = choose(published, Math.floor(variant))
  if (!chosen) return null
  const { text, photo } = chosen
  return {
    title: text.title ?? null,
    subtitle: text.subtitle ?? null,
    buttonText: text.button_text ?? null,
    buttonUrl: text.button_url ?? null,
    photo: await content.picture(photo.photo_url),
  }
}

function choose(records: readonly Row<'section_hero'>[], variant: number) {
  const text = records[variant % records.length]
  if (!text) return null
  const others = records.filter((each) => each !== text && each.photo_url)
  const photo = others[Math.floor(variant / records.length) % others.length]
  return { text, photo: photo ?? text }
}
