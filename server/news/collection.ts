import * as z from 'zod/mini'
import { paths } from '#shared/paths.ts'
import {
  id,
  optionalText,
  slug,
  status,
  text,
  title,
  texts,
  type CollectionDefinition,
} from '../content/collection.ts'

/** What is at an address of the site's own among those of articles, such as the feed. */
const reserved: ReadonlySet<string> = new Set([paths.feed().replace(paths.article(''), '')])

const schema = z.object({
  id,
  slug: slug.check(z.refine((word) => !reserved.has(word.toLowerCase()), 'This word is reserved')),
  title,
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
  kinds: { image: 'picture', published_at: 'date', date_updated: 'date' },
  longText: 'content',
  order: ['-published_at'],
  unshown: ['old_slugs'],
  addressOf: (row) => row.slug,
} as const satisfies CollectionDefinition<typeof schema>
