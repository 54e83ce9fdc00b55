import * as z from 'zod/mini'
import {
  id,
  optionalFlag,
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
  slug: text,
  title: text,
  description: optionalText,
  client: optionalText,
  service: optionalText,
  discipline: optionalText,
  series: optionalText,
  year: optionalNumber,
  location: optionalText,
  image: optionalText,
  images: texts,
  video_url: optionalText,
  featured: optionalFlag,
  status,
  sort,
  published_at: optionalText,
})

/** Projects. */
export const portfolio = {
  schema,
  kinds: {
    sort: 'number',
    year: 'number',
    video_url: 'link',
    image: 'picture',
    images: 'pictures',
  },
  order: ['sort', '-published_at', '-year'],
} as const satisfies CollectionDefinition<typeof schema>
