import * as z from 'zod/mini'
import {
  id,
  optionalText,
  sort,
  status,
  text,
  title,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  question: title,
  answer: text,
  service: optionalText,
  status,
  sort,
})

/** Questions and their answers, which are rich texts. */
export const faq = {
  schema,
  kinds: { sort: 'number', answer: 'rich' },
  optional: true,
} as const satisfies CollectionDefinition<typeof schema>
