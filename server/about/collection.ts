import * as z from 'zod/mini'
import {
  id,
  optionalText,
  sort,
  status,
  title,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  name: title,
  role: optionalText,
  bio: optionalText,
  photo: optionalText,
  status,
  sort,
})

/** The people of the agency. */
export const team = {
  schema,
  kinds: { sort: 'number', photo: 'picture' },
  optional: true,
} as const satisfies CollectionDefinition<typeof schema>
