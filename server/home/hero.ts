import type { Row } from '../collections.ts'
import type { Hero } from '#shared/home.ts'
import type { Content } from '../content/source.ts'

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
export async function heroFor(
  variant: number,
  now: number,
  content: Pick<Content, 'rows' | 'picture'>,
): Promise<Hero | null> {
  const published = await content.rows('section_hero')
  const chosen = choose(published, Math.floor(variant) + Math.floor(now / turnMs) * turnStep)
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

function choose(records: readonly Row<'section_hero'>[], draw: number) {
  const place = draw % records.length
  const text = records[place]
  if (!text) return null
  const others = records.filter((each) => each !== text && each.photo_url)
  // The place keeps the first photo from standing beside every text.
  const photo = others[(place + Math.floor(draw / records.length)) % others.length]
  return { text, photo: photo ?? text }
}
