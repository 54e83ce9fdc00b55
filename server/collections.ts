import type * as z from 'zod/mini'
import { team } from './about/collection.ts'
import { events } from './calendar/collection.ts'
import type { CollectionDefinition } from './content/collection.ts'
import { media, menu, settings } from './content/own-collections.ts'
import { faq } from './faq/collection.ts'
import { hero, testimonials } from './home/collections.ts'
import { news } from './news/collection.ts'
import { portfolio } from './portfolio/collection.ts'
import { seo } from './seo/collection.ts'
import { services } from './services/collection.ts'

/** Every collection, spelled as in the content service (docs/contract.md, Content service). */
const definitions = {
  services,
  news,
  team,
  testimonials,
  settings,
  media,
  section_hero: hero,
  menu_main: menu,
  portfolio,
  faq,
  SEO: seo,
  events,
} as const

type Definitions = typeof definitions

/** The name of a collection. */
export type Collection = keyof Definitions

/** A valid row of a collection. */
export type Row<Name extends Collection> = z.output<Definitions[Name]['schema']>

/** The name of a collection with a long text. */
export type LongTextCollection = {
  [Name in Collection]: Definitions[Name] extends { longText: string } ? Name : never
}[Collection]

/** The names of all collections. */
export const collections = Object.keys(definitions) as readonly Collection[]

/** What the noun of a collection says of it. */
export const definitionOf = (collection: Collection): CollectionDefinition =>
  definitions[collection]

/** The fields of a collection's rows, without its long text. */
export const fieldsOf = (collection: Collection): readonly string[] =>
  Object.keys(definitions[collection].schema.shape)

/** The field with the long text of a collection; null where it has none. */
export const longTextOf = (collection: Collection): string | null =>
  definitionOf(collection).longText ?? null

/** Whether a collection has a long text. */
export const hasLongText = (collection: Collection): collection is LongTextCollection =>
  longTextOf(collection) !== null
