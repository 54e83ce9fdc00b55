/** What a call comes to: it waits, its ticket was found, its text was delivered, or neither. */
export type CallOutcome = 'waiting' | 'matched' | 'delivered' | 'unmatched' | 'held'

/** A remembered call of POST /api/send-email. */
export type RememberedCall = {
  readonly id: number
  readonly kind: 'notice' | 'confirmation'
  readonly ticketId: string | null
  readonly receivedAt: number
  readonly outcome: CallOutcome
  /** JSON of what `parseCall` made of it, while it is needed. */
  readonly data: string | null
}

/** The columns of {@link RememberedCall}. */
export const callColumns =
  'id, kind, ticket_id AS ticketId, received_at AS receivedAt, outcome, data'

/** Milliseconds that a call waits for its ticket. */
export const ticketTimeout = 10 * 60_000
