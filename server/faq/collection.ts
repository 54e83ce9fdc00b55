import * as z from 'zod/mini'
import {
  id,
  optionalText,
  sort,
  status,
  text,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  question: text,
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
