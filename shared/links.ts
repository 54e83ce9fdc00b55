import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import { submissionKey } from './forms/fields.ts'
import {
  linkFilters,
  maxNoteLength,
  maxLinkPasswordLength,
  maxTagLength,
  maxUtmLength,
  maxTags,
  utmNames,
  type LinkState,
  type Utm,
} from './link-rules.ts'

/** A short link as staff see it. Times are ISO timestamps. */
export type ShownLink = {
  code: string
  /** The whole short address. */
  address: string
  target: string
  /** In punycode. */
  host: string
  note: string
  state: LinkState
  author: string
  createdAt: string
  startsAt: string | null
  expiresAt: string | null
  maxClicks: number | null
  forwardQuery: boolean
  utm: Utm | null
  tags: string[]
  /** Whether it asks for a password before it leads on. */
  hasPassword: boolean
  /** What is wrong with the target, where it has failed several checks in a row. */
  dead: string | null
  clicks: {
    human: number
    bot: number
    /** People in each of the last {@link sparkDays} days, today last. */
    recent: number[]
  }
  lastClickAt: string | null
}

/** How many days the small chart beside a link has. */
export const sparkDays = 30

/** A value that makes no sense in an address counts as not given. */
const orElse = z.catch

const instant = z.iso.datetime({ offset: true, error: 'Please enter a date and a time.' })
const utmValue = z
  .string()
  .check(z.trim(), z.maxLength(maxUtmLength, `At most ${maxUtmLength} characters.`))
const clicks = z
  .int('Please enter a whole number.')
  .check(z.gte(1, 'Enter at least 1.'), z.lte(1_000_000_000, 'At most 1 000 000 000 clicks.'))

/** What can be said about a link, when it is made and afterwards; null clears. */
const fields = {
  target: z
    .string('Please enter an address.')
    .check(z.trim(), z.minLength(1, 'Please enter an address.')),
  note: z.optional(
    z.string().check(z.trim(), z.maxLength(maxNoteLength, `At most ${maxNoteLength} characters.`)),
  ),
  startsAt: z.optional(z.nullable(instant)),
  expiresAt: z.optional(z.nullable(instant)),
  maxClicks: z.optional(z.nullable(clicks)),
  forwardQuery: z.optional(z.boolean()),
  tags: z.optional(
    z
      .array(z.string().check(z.maxLength(maxTagLength * 2)))
      .check(z.maxLength(maxTags * 2, `At most ${maxTags} tags.`)),
  ),
  password: z.optional(z.nullable(z.string().check(z.maxLength(maxLinkPasswordLength)))),
  utm: z.optional(
    z.nullable(
      z.object(
        Object.fromEntries(utmNames.map((name) => [name, z.optional(utmValue)])) as Record<
          (typeof utmNames)[number],
          z.ZodMiniOptional<typeof utmValue>
        >,
      ),
    ),
  ),
}

/**
 * Creates a link; without a code, six random characters. With a `key`, the same call again within an hour
 * answers with the link that it has made. Scope `links`.
 */
export const createLink = endpoint({
  method: 'POST',
  path: '/api/links',
  input: z.object({
    ...fields,
    code: z.optional(z.string().check(z.trim())),
    key: z.optional(submissionKey),
  }),
  output: json<{ success: true; link: ShownLink }>(() => 201),
})

/** Links by the search, newest first; a page has {@link linksPerPage}. */
export const listLinks = endpoint({
  method: 'GET',
  path: '/api/links',
  input: z.object({
    q: z.optional(z.string().check(z.maxLength(100))),
    state: orElse(z.optional(z.enum(linkFilters)), undefined),
    tag: z.optional(z.string().check(z.maxLength(maxTagLength))),
    page: orElse(z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000))), undefined),
  }),
  output: json<LinkPage>(),
})

/** A page of links. */
export type LinkPage = {
  links: ShownLink[]
  total: number
  page: number
  pages: number
  /** Tags in use, those of most links first. */
  tags: string[]
  /** How many live links lead to a dead target. */
  dead: number
}

/** How many links a page has. */
export const linksPerPage = 25

const code = z.string()

/** Changes a link; what is left out stays. `disabled` switches it off and on. Scope `links`. */
export const editLink = endpoint({
  method: 'PATCH',
  path: '/api/links/:code',
  input: z.object({
    ...fields,
    target: z.optional(fields.target),
    disabled: z.optional(z.boolean()),
    code,
  }),
  output: json<{ success: true; link: ShownLink }>(),
})

/** Counts of a link, by day in Helsinki. */
export type LinkStatistics = {
  link: ShownLink
  /** Every day of the range, oldest first. */
  days: { day: string; human: number; bot: number }[]
  /** People in the range, most first; an empty name came without a referrer. */
  referrers: { name: string; count: number }[]
  devices: { name: string; count: number }[]
}

/** What became of a link in the last days. Scope `links`. */
export const getLinkStatistics = endpoint({
  method: 'GET',
  path: '/api/links/:code/statistics',
  input: z.object({
    code,
    days: orElse(z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(366)), 30), 30),
  }),
  output: json<LinkStatistics>(),
})

/** What the public may know of a link. Before its start it is missing like one that never was. */
export type LinkView =
  | {
      state: 'live'
      code: string
      target: string
      host: string
      createdAt: string
      expiresAt: string | null
    }
  /** Asks for its password first; says nothing of its target. */
  | { state: 'locked'; code: string }
  | { state: 'gone' }
  | { state: 'missing' }

/** What a link leads to, without following it; not counted. */
export const viewLink = endpoint({
  method: 'GET',
  path: '/api/links/:code/view',
  input: z.object({ code }),
  output: json<LinkView>(),
})
