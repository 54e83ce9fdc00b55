import {
  defineTable,
  flag,
  integer,
  made,
  nullable,
  text,
  textOf,
  type RowOf,
} from '../db/table.ts'

/** What becomes of an email; `failed` waits for a person, `dropped` was not to be sent at all. */
export type MailStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'dropped'

/** The outbox. Times are milliseconds of the epoch. */
export const mails = defineTable('mails', {
  id: made(integer()),
  /** Names its template. */
  kind: text(),
  /** Two emails with the same one are the same email; it is compared and never read. */
  dedupeKey: text(),
  /** The kind of thing that the email is about, such as `order`, as in the timeline. */
  thing: nullable(text()),
  /** What people call that thing, such as an order's number. */
  thingId: nullable(text()),
  /** What staff know it by, such as the id of a ticket; part of the name of its file. */
  reference: nullable(text()),
  /** JSON that the message is rendered from, where its reference does not say enough. */
  data: nullable(text()),
  status: textOf<MailStatus>(),
  attempts: made(integer()),
  queuedAt: integer(),
  /** When it may be taken next; while it is being sent, the end of the lease. Null once settled. */
  dueAt: nullable(integer()),
  settledAt: made(nullable(integer())),
  /** The mail server's last word, or why nothing was sent. */
  lastReply: made(nullable(text())),
  /** Without angle brackets; the same in every attempt. */
  messageId: text(),
  /** Keyed hash of the mailbox, where emails to one mailbox are limited. */
  mailbox: nullable(text()),
  /** The address that it went to, known once it was sent. */
  recipient: made(nullable(text())),
  toStaff: flag(),
  /** Whether it is one of many at once, such as a newsletter: all others go first. */
  isBulk: flag(),
  /** The summary that it is part of, instead of going out by itself. */
  summary: made(nullable(text())),
})

/** A row of the outbox. */
export type Mail = RowOf<typeof mails>
