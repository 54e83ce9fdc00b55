import * as z from 'zod/mini'
import {
  id,
  listOf,
  optionalFlag,
  optionalText,
  slug,
  sort,
  status,
  text,
  title,
  texts,
  wholeNumber,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  slug,
  title,
  description: optionalText,
  client: optionalText,
  service: optionalText,
  discipline: optionalText,
  series: optionalText,
  year: wholeNumber(1900, 2200),
  location: optionalText,
  /** The event it was made at. */
  event: optionalText,
  /** What can be counted: `61` with `clips in 48 hours`. */
  numbers: listOf(z.object({ value: text, label: text })),
  /** Who did what, on our side and the client's. */
  credits: listOf(z.object({ role: text, name: text })),
  quote: optionalText,
  quote_name: optionalText,
  quote_role: optionalText,
  image: optionalText,
  images: texts,
  /** A film elsewhere. */
  video_url: optionalText,
  /** A film of ours: the ids of its file, its captions (WebVTT) and the picture before it begins. */
  video: optionalText,
  video_captions: optionalText,
  video_poster: optionalText,
  /** How long it is, in seconds. */
  video_seconds: wholeNumber(1, 36_000),
  featured: optionalFlag,
  status,
  sort,
  published_at: optionalText,
  old_slugs: texts,
})

/** Projects. */
export const portfolio = {
  schema,
  kinds: {
    sort: 'number',
    year: 'number',
    published_at: 'date',
    video_url: 'link',
    video: 'picture',
    video_captions: 'picture',
    video_poster: 'picture',
    video_seconds: 'number',
    image: 'picture',
    images: 'pictures',
  },
  order: ['sort', '-published_at', '-year'],
  unshown: ['old_slugs'],
  addressOf: (row) => row.slug,
} as const satisfies CollectionDefinition<typeof schema>
