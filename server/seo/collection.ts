import * as z from 'zod/mini'
import { id, optionalText, text, type CollectionDefinition } from '../content/collection.ts'

const schema = z.object({
  id,
  url: text,
  seo_title: optionalText,
  seo_description: optionalText,
  seo_keywords: optionalText,
  og_title: optionalText,
  og_description: optionalText,
  og_image: optionalText,
})

/** What search engines see of single pages. */
export const seo = {
  schema,
  kinds: { url: 'link', og_image: 'picture' },
} as const satisfies CollectionDefinition<typeof schema>
