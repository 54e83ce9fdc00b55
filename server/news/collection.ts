import * as z from 'zod/mini'
import {
  id,
  optionalText,
  status,
  text,
  texts,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  slug: text,
  title: text,
  excerpt: optionalText,
  image: optionalText,
  author: optionalText,
  category: optionalText,
  tags: texts,
  published_at: text,
  /** A system field of a Directus. */
  date_updated: optionalText,
  status,
  old_slugs: texts,
})

/** Articles, the newest first; their text is `content`. */
export const news = {
  schema,
  kinds: { image: 'picture' },
  longText: 'content',
  order: ['-published_at'],
  unshown: ['old_slugs'],
} as const satisfies CollectionDefinition<typeof schema>
