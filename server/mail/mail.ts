/** What becomes of a mail; `failed` waits for a person, `dropped` was not to be sent at all. */
export type MailStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'dropped'

/** A row of the outbox. Times are milliseconds of the epoch. */
export type Mail = {
  readonly id: number
  /** Names its template. */
  readonly kind: string
  readonly dedupeKey: string
  /** What staff know it by, such as the id of a ticket; part of the name of its file. */
  readonly reference: string | null
  /** JSON that the message is rendered from, where its reference does not say enough. */
  readonly data: string | null
  readonly status: MailStatus
  readonly attempts: number
  readonly queuedAt: number
  /** When it may be taken next; null once settled. */
  readonly dueAt: number | null
  readonly settledAt: number | null
  /** The mail server's last word, or why nothing was sent. */
  readonly lastReply: string | null
  /** Without angle brackets; the same in every attempt. */
  readonly messageId: string
}

/** The columns of a {@link Mail}. */
export const mailColumns = `id, kind, dedupe_key AS dedupeKey, reference, data, status, attempts,
  queued_at AS queuedAt, due_at AS dueAt, settled_at AS settledAt, last_reply AS lastReply,
  message_id AS messageId`
