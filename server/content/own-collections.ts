import * as z from 'zod/mini'
import {
  id,
  listOf,
  numberWithin,
  optionalText,
  sort,
  status,
  text,
  title,
  wholeNumber,
  type CollectionDefinition,
} from './collection.ts'

const menuSchema = z.object({
  id,
  title,
  url: optionalText,
  description: optionalText,
  status,
  sort,
})

/** The main menu. */
export const menu = {
  schema: menuSchema,
  kinds: { sort: 'number', url: 'link' },
} as const satisfies CollectionDefinition<typeof menuSchema>

const settingsSchema = z.object({
  id,
  brand: text,
  legal_name: optionalText,
  business_id: optionalText,
  vat_id: optionalText,
  tagline: optionalText,
  about: optionalText,
  email: text,
  phone: optionalText,
  street: optionalText,
  postal_code: optionalText,
  city: optionalText,
  country: optionalText,
  maps_url: optionalText,
  offices: listOf(z.object({ name: text, city: text, country: text })),
  social: z.optional(
    z.nullable(
      z
        .record(z.string(), z.string())
        .check(z.refine((links) => Object.keys(links).length <= 50, 'More than 50 links')),
    ),
  ),
  founded: wholeNumber(1800, 2200),
  iban: optionalText,
  bic: optionalText,
})

/** Who the agency is, and where it is paid, which no page shows. */
export const settings = {
  schema: settingsSchema,
  kinds: { founded: 'number', maps_url: 'link', social: 'links' },
  optional: true,
  unshown: ['iban', 'bic'],
} as const satisfies CollectionDefinition<typeof settingsSchema>

const mediaSchema = z.object({
  id,
  title: optionalText,
  alt: optionalText,
  credit: optionalText,
  width: wholeNumber(1, 100_000),
  height: wholeNumber(1, 100_000),
  /** A fraction, or pixels as a Directus has them. */
  focal_x: numberWithin(0, 100_000),
  focal_y: numberWithin(0, 100_000),
  /** The colour that prevails in it, as `#rrggbb`. */
  tone: optionalText,
})

/** What is known of pictures. */
export const media = {
  schema: mediaSchema,
  kinds: { width: 'number', height: 'number', focal_x: 'number', focal_y: 'number' },
  optional: true,
} as const satisfies CollectionDefinition<typeof mediaSchema>
