import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'

/** The collections of the content service, spelled as they are there (docs/contract.md, Content service). */
export const collections = [
  'services',
  'news',
  'team',
  'testimonials',
  'settings',
  'media',
  'section_hero',
  'menu_main',
  'portfolio',
  'faq',
  'SEO',
  'events',
] as const

/** The name of a collection. */
export type Collection = (typeof collections)[number]

const text = z.string()
const optionalText = z.optional(z.nullable(z.string()))
const texts = z.optional(z.nullable(z.array(z.string())))
const sort = z.optional(z.nullable(z.number()))
const id = z.union([z.string(), z.number()])
/** What an organiser says of an event. */
export const eventStatuses = ['scheduled', 'tbc', 'postponed', 'cancelled'] as const

/** Whether the agency is at an event: not there, there with time to sell, there, or booked out. */
export const eventCoverages = ['none', 'free', 'covered', 'full'] as const

/** A closed list of values; a Directus gives null where nothing was chosen, which is the first one. */
const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.pipe(
    z.transform((given: unknown) => given ?? values[0]),
    z.enum(values, { error: `None of ${values.join(', ')}` }),
  )

/** Published, draft or archived; a record without a status counts as published. */
const status = z.optional(z.nullable(z.string()))

/** The shape of each collection's rows; what a row has beyond it is dropped. */
export const rowSchemas = {
  menu_main: z.object({
    id,
    title: text,
    url: optionalText,
    description: optionalText,
    status,
    sort,
  }),
  services: z.object({
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
    price_from: z.optional(z.nullable(z.number())),
    price_note: optionalText,
  }),
  section_hero: z.object({
    id,
    title: optionalText,
    subtitle: optionalText,
    button_text: optionalText,
    button_url: optionalText,
    photo_url: optionalText,
    Status: optionalText,
  }),
  news: z.object({
    id,
    slug: text,
    title: text,
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
  }),
  portfolio: z.object({
    id,
    slug: text,
    title: text,
    description: optionalText,
    client: optionalText,
    service: optionalText,
    discipline: optionalText,
    series: optionalText,
    year: z.optional(z.nullable(z.number())),
    location: optionalText,
    image: optionalText,
    images: texts,
    video_url: optionalText,
    featured: z.optional(z.nullable(z.boolean())),
    status,
    sort,
    published_at: optionalText,
  }),
  team: z.object({
    id,
    name: text,
    role: optionalText,
    bio: optionalText,
    photo: optionalText,
    status,
    sort,
  }),
  testimonials: z.object({
    id,
    quote: text,
    name: text,
    role: optionalText,
    company: optionalText,
    source: optionalText,
    consent: z.optional(z.nullable(z.boolean())),
    service: optionalText,
    status,
    sort,
  }),
  faq: z.object({ id, question: text, answer: text, service: optionalText, status, sort }),
  media: z.object({
    id,
    title: optionalText,
    alt: optionalText,
    credit: optionalText,
    width: z.optional(z.nullable(z.number())),
    height: z.optional(z.nullable(z.number())),
    focal_x: z.optional(z.nullable(z.number())),
    focal_y: z.optional(z.nullable(z.number())),
  }),
  SEO: z.object({
    id,
    url: text,
    seo_title: optionalText,
    seo_description: optionalText,
    seo_keywords: optionalText,
    og_title: optionalText,
    og_description: optionalText,
    og_image: optionalText,
  }),
  settings: z.object({
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
    offices: z.optional(z.nullable(z.array(z.object({ name: text, city: text, country: text })))),
    social: z.optional(z.nullable(z.record(z.string(), z.string()))),
    founded: z.optional(z.nullable(z.number())),
    iban: optionalText,
    bic: optionalText,
  }),
  events: z.object({
    id,
    title: text,
    series: optionalText,
    venue: optionalText,
    city: optionalText,
    country: optionalText,
    /** YYYY-MM-DD, a civil date; or YYYY-MM-DDTHH:MM, the local time in `zone`. */
    start: text,
    /** As `start`; a date is the last day. Without it the event is one day long, or open-ended. */
    end: optionalText,
    /** An IANA time zone. */
    zone: optionalText,
    /** Of the event; `Status` says whether it is published. */
    status: choice(eventStatuses),
    coverage: choice(eventCoverages),
    url: optionalText,
    description: optionalText,
    image: optionalText,
    /** A system field of a Directus. */
    date_updated: optionalText,
    Status: optionalText,
  }),
} as const satisfies Record<Collection, z.ZodMiniType>

/** A valid row of a collection. */
export type Row<Name extends Collection> = z.output<(typeof rowSchemas)[Name]>

/** Which collections have a long rich text, and in which field; it is read apart from the rows. */
export const longTexts = { services: 'body', news: 'content' } as const satisfies Partial<
  Record<Collection, string>
>

/** The name of a collection with a long text. */
export type LongTextCollection = keyof typeof longTexts

/** Short fields that hold rich text: already sanitised in rows, to be shown as HTML. Every other field is plain text. */
export const richFields = { faq: ['answer'] } as const satisfies Partial<
  Record<Collection, readonly string[]>
>

const nothing = z.object({})

/** The main menu, sorted. */
export const getMenu = endpoint({
  method: 'GET',
  path: '/api/content/menu',
  input: nothing,
  output: json<Row<'menu_main'>[]>(),
})

/** What every page may know of the agency: not where it is paid. */
export type SiteSettings = Omit<Row<'settings'>, 'iban' | 'bic'>

/** Names, addresses and links of the agency. */
export const getSettings = endpoint({
  method: 'GET',
  path: '/api/content/settings',
  input: nothing,
  output: json<SiteSettings | null>(),
})

/**
 * A picture with what its alternative text and place in the layout need: size in pixels, focal
 * point as fractions of it, and a version that names the file's content where that is known.
 */
export type Picture = {
  id: string
  alt: string
  width: number | null
  height: number | null
  focal: [number, number]
  version?: string | null
}
