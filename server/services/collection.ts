import * as z from 'zod/mini'
import { servicePath } from '#shared/paths.ts'
import { serviceSlug } from '#shared/text/slug.ts'
import { saleUnits } from '#shared/bookings/sale-units.ts'
import {
  id,
  euroCents,
  euros,
  listOf,
  optionalText,
  sort,
  status,
  text,
  title,
  texts,
  type CollectionDefinition,
} from '../content/collection.ts'

const schema = z.object({
  id,
  title,
  description: optionalText,
  // The name of its page, or a whole address; of signs alone no page can be named.
  url: text.check(z.refine((url) => /^https?:/.test(url) || serviceSlug(url) !== '', 'Missing')),
  status,
  sort,
  headline: optionalText,
  intro: optionalText,
  image: optionalText,
  gallery: texts,
  deliverables: texts,
  process: listOf(z.object({ title: text, text })),
  /** Euros without VAT, with up to two decimals. */
  price_from: euros,
  /** The same in cents, which goes before it; rows have it, whichever of the two was given. */
  price_from_cents: euroCents,
  price_note: optionalText,
  /** How it is sold: `day`, `event`, `month` or `project`. */
  unit: z.optional(z.nullable(z.enum(saleUnits))),
  /** What the price holds, a line each. */
  price_includes: texts,
})

/** The services; the text of their pages is `body`. */
export const services = {
  schema,
  kinds: {
    sort: 'number',
    price_from: 'number',
    price_from_cents: 'number',
    url: 'link',
    image: 'picture',
    gallery: 'pictures',
  },
  longText: 'body',
  // Several may lead to one page elsewhere.
  addressOf: ({ url }) => (/^https?:/.test(url) ? null : servicePath(url)),
  settle(row) {
    if (typeof row.price_from === 'number') {
      row.price_from_cents ??= Math.round(row.price_from * 100)
    }
    return null
  },
} as const satisfies CollectionDefinition<typeof schema>
