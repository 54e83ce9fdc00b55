import type { SubscriberStatus } from '#shared/newsletter.ts'

/** An address on the list. Times are milliseconds of the epoch. */
export type Subscriber = {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly status: SubscriberStatus
  /** Counts on when the subscriber leaves; a confirmation link is good for one round. */
  readonly round: number
  readonly leaveToken: string
  readonly createdAt: number
  /** When the status came about. */
  readonly since: number
}

/** What happened to a subscription; `asked` and `confirmed` together prove consent. */
export type SubscriberEventKind =
  | 'asked'
  | 'confirmed'
  | 'left'
  | 'removed'
  | 'imported'
  | 'blocked'

/** One line of a subscription's history. */
export type SubscriberEvent = {
  readonly at: number
  readonly kind: SubscriberEventKind
  readonly policy: string | null
  readonly source: string | null
  readonly network: string | null
  readonly note: string | null
}

/** The columns of a {@link Subscriber}. */
export const subscriberColumns =
  'id, email, name, status, round, leave_token AS leaveToken, created_at AS createdAt, since'
