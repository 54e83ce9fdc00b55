import type { ContactRecord } from '#shared/contact.ts'

/** The fields that a visitor fills in, by their names in the form. */
export type FieldName = 'name' | 'email' | 'subject' | 'message'

/** Why the server will not take a message as it is. */
export type Refusal = {
  /** What is wrong, by field; empty where no field is to blame. */
  errors: Partial<Record<FieldName, string>>
}

/** A message that is not known to be saved; times in milliseconds of the epoch. */
export type Unsent = {
  record: ContactRecord
  keptAt: number
  tries: number
  notBefore: number
  /** Set when sending it again would change nothing: it waits for its writer. */
  refused?: Refusal
}

/** How long a message is kept before it is given up, in milliseconds. */
const longest = 72 * 3_600_000
/** How long the form's own attempt has before another may be made. */
const ownAttempt = 20_000

const backoff = (tries: number) => Math.min(5000 * 3 ** tries, 15 * 60_000)

/** The messages in a stored text; whatever else may stand in a visitor's storage is left out. */
export function parseUnsent(stored: string | null): Unsent[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isOurs) : []
  } catch {
    return []
  }
}

function isOurs(each: unknown): each is Unsent {
  const { record, keptAt, tries, notBefore } = (each ?? {}) as Partial<Unsent>
  return (
    record instanceof Object &&
    [record.Name, record.Email, record.Subject, record.Message, record['Ticket ID']].every(
      (text) => typeof text === 'string',
    ) &&
    [keptAt, tries, notBefore].every((number) => typeof number === 'number')
  )
}

/** The list with a new message, whose own attempt is about to begin. */
export const withMessage = (
  list: readonly Unsent[],
  record: ContactRecord,
  now: number,
): Unsent[] => [...list, { record, keptAt: now, tries: 0, notBefore: now + ownAttempt }]

/** The list without a message. */
export const withoutMessage = (list: readonly Unsent[], ticketId: string): Unsent[] =>
  list.filter(({ record }) => record['Ticket ID'] !== ticketId)

/** The list without messages that were kept for too long. */
export const withoutOld = (list: readonly Unsent[], now: number): Unsent[] =>
  list.filter(({ keptAt }) => now - keptAt <= longest)

/** The list with one message changed. */
export const withChange = (
  list: readonly Unsent[],
  ticketId: string,
  change: (message: Unsent) => Unsent,
): Unsent[] => list.map((each) => (each.record['Ticket ID'] === ticketId ? change(each) : each))

/**
 * A message after an attempt that failed.
 * @param wait milliseconds that the server asked for
 */
export const postponed = (message: Unsent, now: number, wait: number): Unsent => ({
  ...message,
  tries: message.tries + 1,
  notBefore: now + Math.max(wait, backoff(message.tries)),
})

/** The messages that may be sent again by themselves. */
export const sendable = (list: readonly Unsent[]): Unsent[] =>
  list.filter(({ refused }) => !refused)

/** Where a message stands that the server does not have. */
export type Delivery = 'waiting' | 'refused'

/** Where the message of a ticket stands; null when it is no longer with us. */
export function deliveryOf(list: readonly Unsent[], ticketId: string): Delivery | null {
  const found = list.find(({ record }) => record['Ticket ID'] === ticketId)
  if (!found) return null
  return found.refused ? 'refused' : 'waiting'
}
