import * as z from 'zod/mini'
import {
  id,
  optionalFlag,
  optionalText,
  sort,
  status,
  text,
  title,
  type CollectionDefinition,
} from '../content/collection.ts'

const heroSchema = z.object({
  id,
  title: optionalText,
  subtitle: optionalText,
  button_text: optionalText,
  button_url: optionalText,
  photo_url: optionalText,
  Status: optionalText,
})

/** The records of the hero, of which each visitor gets one. */
export const hero = {
  schema: heroSchema,
  kinds: { button_url: 'link', photo_url: 'picture' },
  needsStatus: true,
} as const satisfies CollectionDefinition<typeof heroSchema>

const testimonialSchema = z.object({
  id,
  quote: title,
  name: text,
  role: optionalText,
  company: optionalText,
  source: optionalText,
  consent: optionalFlag,
  service: optionalText,
  status,
  sort,
})

/**
 * What clients say. It needs the consent of its author; where the service does not have the field, its
 * editors decide.
 */
export const testimonials = {
  schema: testimonialSchema,
  kinds: { sort: 'number' },
  optional: true,
  unshown: ['consent'],
  deciding: ['consent'],
  isAllowed: ({ consent }) => consent === undefined || consent === true,
} as const satisfies CollectionDefinition<typeof testimonialSchema>
