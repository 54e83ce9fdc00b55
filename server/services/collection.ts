import * as z from 'zod/mini'
import {
  id,
  optionalNumber,
  optionalText,
  sort,
  status,
  text,
  texts,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  title: text,
  description: optionalText,
  url: text,
  status,
  sort,
  headline: optionalText,
  intro: optionalText,
  image: optionalText,
  gallery: texts,
  deliverables: texts,
  process: z.optional(z.nullable(z.array(z.object({ title: text, text })))),
  /** Euro cents, without VAT. */
  price_from: optionalNumber,
  price_note: optionalText,
})

/** The services; the text of their pages is `body`. */
export const services = {
  schema,
  kinds: {
    sort: 'number',
    price_from: 'number',
    url: 'link',
    image: 'picture',
    gallery: 'pictures',
  },
  longText: 'body',
} as const satisfies CollectionDefinition<typeof schema>
