import { hash } from 'node:crypto'
import { replyDue } from '#shared/dates/civil-dates.ts'
import { contactFields, type ContactMessage } from '#shared/contact/contact.ts'
import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import type { TicketStore } from './store.ts'

/** How long a ticket is kept, in months. */
export const ticketMonths = 24

/** How long one stays in quarantine, in days. */
export const quarantineDays = 14

/** How far apart the confirmations to one mailbox are, in milliseconds. */
export const confirmationsApart = 10 * minuteMs

/** Max tickets per network and day; no person writes that many. */
const maxADay = 1000

/** Tickets without a form proof that are taken as they come; further ones go into quarantine. */
const maxUnproven = {
  network: { tickets: 5, ms: hourMs },
  email: { tickets: 20, ms: dayMs },
} as const

/** The {@link spamScore} from which a message without a form proof goes into quarantine. */
const suspiciousScore = 2

/** Addresses of the web, and the markup that robots put around them. */
const links = /https?:\/\/|\bwww\.|\[url\b|<a\s/gi

/** Points per link: double in fields where people don't write links. */
const weights: Record<keyof ContactMessage, number> = { name: 2, email: 0, subject: 2, message: 1 }

/** How much a message looks like advertising: a point or two for each link in it. */
const spamScore = (message: ContactMessage): number =>
  contactFields
    .map((field) => weights[field] * (message[field].match(links)?.length ?? 0))
    .reduce((total, score) => total + score, 0)

/** Whether a network has reached its daily limit. */
export const isUsedUp = (tickets: TicketStore, network: string, now: number): boolean =>
  tickets.countOfNetwork(network, { now, ms: dayMs }) >= maxADay

/**
 * Whether a message without a form proof has to wait for staff: it looks like advertising, or too
 * many have come before it.
 */
export function isDoubtful(
  tickets: TicketStore,
  message: ContactMessage,
  { network, now }: { network: string; now: number },
): boolean {
  const { network: net, email } = maxUnproven
  return (
    spamScore(message) >= suspiciousScore ||
    tickets.countUnproven({ network }, { now, ms: net.ms }) >= net.tickets ||
    tickets.countUnproven({ email: message.email }, { now, ms: email.ms }) >= email.tickets
  )
}

/**
 * Computes when a reply is due (see {@link replyDue}), once per hour: messages of the same hour are due
 * at the same time, and computing it costs more than writing the row.
 */
export function createDueAt(): (receivedAt: number) => number {
  let known = { hour: -1, dueAt: 0 }
  return (receivedAt) => {
    const hour = Math.floor(receivedAt / hourMs)
    if (hour !== known.hour) known = { hour, dueAt: replyDue(receivedAt) }
    return known.dueAt
  }
}

/** Hash of everything the visitor wrote; identifies a repeated call. */
export const hashOf = (message: ContactMessage): string =>
  hash('sha256', JSON.stringify(contactFields.map((field) => message[field])), 'base64url')

/** The same time of an earlier month; a day that the month lacks becomes the first of the next. */
export function monthsBefore(at: number, months: number): number {
  const date = new Date(at)
  return date.setUTCMonth(date.getUTCMonth() - months)
}
