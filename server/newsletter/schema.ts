import * as z from 'zod/mini'
import type { SubscriberStatus } from '#shared/newsletter.ts'
import {
  defineTable,
  filled,
  flag,
  integer,
  json,
  made,
  nullable,
  text,
  textOf,
  type RowOf,
} from '../db/table.ts'

/** Addresses on the list. Times are milliseconds of the epoch. */
export const subscribers = defineTable('subscribers', {
  id: made(integer()),
  email: text(),
  name: text(),
  status: textOf<SubscriberStatus>(),
  /** Counts on when the subscriber leaves; a confirmation link is good for one round. */
  round: made(integer()),
  /** Opens the way out for good. */
  leaveToken: text(),
  /** What confirmation links are signed over; 128 random bits that no other address had. */
  secret: filled(text()),
  createdAt: integer(),
  /** When the status came about. */
  since: integer(),
})

/** An address on the list. */
export type Subscriber = RowOf<typeof subscribers>

/** What happened to a subscription; `asked` and `confirmed` together prove consent. */
export type SubscriberEventKind =
  | 'asked'
  | 'confirmed'
  | 'left'
  | 'removed'
  | 'imported'
  | 'blocked'

/** How subscriptions came about and ended. */
export const subscriberEvents = defineTable('subscriber_events', {
  id: made(integer()),
  subscriber: integer(),
  at: integer(),
  kind: textOf<SubscriberEventKind>(),
  /** Version of the text that the form showed. */
  policy: nullable(text()),
  /** Path of the page that the form stood on. */
  source: nullable(text()),
  /** Keyed hash of the client's network. */
  network: nullable(text()),
  note: nullable(text()),
})

/** One line of a subscription's history. */
export type SubscriberEvent = Omit<RowOf<typeof subscriberEvents>, 'id' | 'subscriber'>

/** Confirmation emails, which are limited. */
export const confirmations = defineTable('subscriber_confirmations', {
  id: made(integer()),
  subscriber: integer(),
  network: text(),
  at: integer(),
  dueAt: integer(),
})

const issue = z.object({
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  url: z.string(),
  picture: z.nullable(z.object({ src: z.string(), alt: z.string() })),
  /** Clean HTML with the styles that mail programs need. */
  html: z.string(),
  /** Who sends it, as the law requires it: name, address, business id. */
  imprint: z.string(),
})

/** An article as it goes out by email; every address in it is absolute. */
export type Issue = z.output<typeof issue>

/** What went out, or is about to; a copy that was only tried is a trial. */
export const newsletterIssues = defineTable('newsletter_issues', {
  slug: text(),
  isTrial: flag(),
  createdAt: integer(),
  content: json(issue),
})
