import { hash } from 'node:crypto'
import { contactLimits } from '#shared/contact/contact-form.ts'
import { isFailure } from '#shared/failures.ts'
import { shortened } from '#shared/text/text.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { mailbox as readMailbox } from '../../mail/message.ts'
import { wireMailboxOf } from '../../mail/recipient.ts'
import type { Mail } from '../../mail/schema.ts'
import type { TicketActions } from '../acts.ts'
import type { Ticket, WaitingReason } from '../schema.ts'
import type { TicketStore } from '../store.ts'
import type { Email, EmailHeader } from './email.ts'
import { ownWords } from './own-words.ts'
import type { InboundStore } from './store.ts'

/** Emails that wait for staff at a time; a flood of them ends there. */
const maxWaiting = 500

/** Which email of which mailbox: what a mailbox program knows it by. */
export type EmailPlace = { mailbox: string; uid: number; receivedAt: number }

/**
 * What became of an email: its words are in a ticket (also when they already were), it waits for staff,
 * an email of ours was marked as failed, someone left the newsletter, or it's left alone.
 */
export type Outcome = 'answer' | 'waiting' | 'bounce' | 'unsubscribed' | 'left'

/** The number in the subject of our emails, and in a text that quotes them. */
const ticketMark = /\[Ticket: ([a-z0-9]{6})\]/

/** The link of our emails to the visitor. */
const visitorLink = /\/ticket\/([\w-]{20,200})/

/** What a ticket says where an answer went on for longer than a message may. */
const cutNote = '\n\n[Cut here. The rest is in the email.]'

/** Acts on emails to us. */
export type InboundActs = ReturnType<typeof createInboundActs>

/** Creates the acts on emails to us; each is all or nothing, and idempotent. */
export function createInboundActs(
  { commit, config, contributions, log, mails, outbox, timeline }: Platform,
  {
    tickets,
    actions,
    store,
    ticketOfLink,
    unsubscribe,
  }: {
    /** The ticket that the token of its visitor's link opens, or null. */
    ticketOfLink: (token: string) => Ticket | null
    tickets: Pick<TicketStore, 'find' | 'ofEmail' | 'messageOfKey'>
    actions: Pick<TicketActions, 'addByEmail'>
    store: InboundStore
    /** Takes whom the subject of an email names off the newsletter; false for any other subject. */
    unsubscribe: (tx: Transaction, subject: string) => boolean
  },
) {
  const ownMailboxes = new Set(
    [config.mail.from, config.mail.staff].map((own) => wireMailboxOf(readMailbox(own).address)),
  )

  /** Our emails about tickets that an email answers, the nearest first. */
  const answered = ({ references }: EmailHeader): (Mail & { thingId: string })[] => {
    if (references.length === 0) return []
    const found = mails.withIds(references).filter(isAboutTicket)
    const places = new Map(references.map((id, place) => [id, place]))
    return found.toSorted((a, b) => places.get(a.messageId)! - places.get(b.messageId)!)
  }

  /** The ticket that an email answers, or seems to; null where it's no affair of any. */
  const ticketOf = (
    header: EmailHeader,
    text: string,
  ): { ticket: Ticket; reason: WaitingReason | null } | null => {
    const { from } = header
    const isOf = ({ email }: Ticket) =>
      from !== null && wireMailboxOf(email) === wireMailboxOf(from)
    const inThread = answered(header).flatMap(({ thingId }) => tickets.find(thingId) ?? [])
    const own = inThread.find(isOf)
    if (own) return { ticket: own, reason: null }
    if (inThread[0]) return { ticket: inThread[0], reason: 'sender' }
    const [, named] = ticketMark.exec(header.subject) ?? ticketMark.exec(text) ?? []
    const token = visitorLink.exec(text)?.[1]
    const byName =
      (named === undefined ? null : tickets.find(named)) ??
      (token === undefined ? null : ticketOfLink(token))
    if (byName) return { ticket: byName, reason: 'named' }
    const ofSender = from === null ? [] : tickets.ofEmail(from)
    const last = ofSender.filter(({ status }) => !isShut(status)).at(-1)
    return last ? { ticket: last, reason: 'known' } : null
  }

  /** Whether an email isn't a message of a person to us: ours, or a machine's. */
  const isNoMessage = (header: EmailHeader): boolean =>
    header.isAutomatic ||
    (header.from !== null && ownMailboxes.has(wireMailboxOf(header.from))) ||
    (header.messageId !== null && mails.withIds([header.messageId]).length > 0)

  const wait = (
    tx: Transaction,
    place: EmailPlace,
    { from, subject }: Pick<EmailHeader, 'from' | 'subject'>,
    about: { reason: WaitingReason; ticketId: string | null },
  ): Outcome => {
    if (store.waitingCount() >= maxWaiting) {
      log.warn('too many unread emails in the mailbox: the rest aren’t listed')
      return 'left'
    }
    store.addWaiting(tx, { ...place, sender: from, subject, ...about })
    return 'waiting'
  }

  /** Marks an email to a visitor as failed. What is said of it may name an address, which only tickets forget. */
  const takeReport = (tx: Transaction, { report }: Email): Outcome => {
    if (!report || report.failed === null || report.messageIds.length === 0) return 'left'
    const returned = mails
      .withIds(report.messageIds)
      .filter(({ thing, toStaff }) => !toStaff && thing !== null && missedThings.has(thing))
    const marked = returned.filter(({ id }) => mails.bounce(tx, id, report.failed!))
    if (report.isRecipients) {
      for (const mail of marked) {
        const template = contributions().mailTemplates.get(mail.kind)
        template?.undeliverable?.(tx, mail, report.failed)
      }
    }
    for (const { kind, thingId } of marked.filter(isAboutTicket)) {
      timeline.record(tx, {
        thing: 'ticket',
        thingId,
        actor: 'mail server',
        act: kind === 'ticketReply' ? 'reply bounced' : 'confirmation bounced',
        note: report.failed,
      })
    }
    return marked.length > 0 ? 'bounce' : 'left'
  }

  const takeAnswer = (tx: Transaction, email: Email, place: EmailPlace): Outcome => {
    const found = ticketOf(email, email.text)
    if (!found || isShut(found.ticket.status)) return 'left'
    const { ticketId } = found.ticket
    if (found.reason) return wait(tx, place, email, { reason: found.reason, ticketId })
    const { text, isCut, attachments, moreAttachments } = email
    const before = tickets.messageOfKey(email.key)
    const isAnother = before !== null && store.emailOf(before.id)?.text !== text
    // Some programs send a second email under the Message-ID of the first one.
    const key = isAnother ? `${email.key}/${hash('sha256', text, 'base64url')}` : email.key
    if (tickets.messageOfKey(key)) return 'answer'
    const kept = actions.addByEmail(tx, ticketId, { text: messageOf(email), key })
    const more = { name: `and ${moreAttachments} more`, bytes: 0 }
    store.addEmail(tx, {
      message: kept.id,
      text,
      isCut,
      attachments: moreAttachments > 0 ? [...attachments, more] : [...attachments],
    })
    log.info({ ticketId }, 'email reply added to ticket')
    return 'answer'
  }

  return {
    /**
     * Takes an email: an answer in the thread of a ticket, from the ticket's own address, is added to it
     * as if it had been written on the ticket's page. Anything else that seems to be about a ticket waits
     * for staff.
     */
    async take(email: Email, place: EmailPlace): Promise<Outcome> {
      const outcome = await commit((tx): Outcome => {
        if (email.isReport) return takeReport(tx, email)
        // Some mail programs send it by themselves, as automatic.
        if (unsubscribe(tx, email.subject)) return 'unsubscribed'
        return isNoMessage(email) ? 'left' : takeAnswer(tx, email, place)
      }).catch((error: unknown) => {
        if (!isFailure(error) || error.failure !== 'too-many') throw error
        const about = {
          reason: 'limit' as const,
          ticketId: ticketOf(email, '')?.ticket.ticketId ?? null,
        }
        return commit((tx) => wait(tx, place, email, about))
      })
      outbox.wake()
      return outcome
    },

    /** Tells staff of an email of which only the header was read, since the whole is too large. */
    tellOfLarge: (header: EmailHeader, place: EmailPlace): Promise<Outcome> =>
      commit((tx) => {
        if (isNoMessage(header)) return 'left'
        const about = ticketOf(header, '')
        if (about && isShut(about.ticket.status)) return 'left'
        const ticketId = about?.ticket.ticketId ?? null
        return wait(tx, place, header, { reason: 'large', ticketId })
      }),

    /** Tells staff of an email that couldn't be understood. @param header null where not even that could */
    tellOfUnreadable: (header: EmailHeader | null, place: EmailPlace): Promise<Outcome> =>
      commit((tx) => {
        if (header && isNoMessage(header)) return 'left'
        const about = { reason: 'unreadable' as const, ticketId: null }
        return wait(tx, place, header ?? { from: null, subject: '' }, about)
      }),

    /** Writes down that nothing is left to do with the emails up to a UID. */
    pass: (mailbox: string, uid: number): Promise<void> =>
      commit((tx) => store.pass(tx, mailbox, uid)),

    /** Forgets what waited for staff and has been read in the mailbox, or was in another one. */
    settle: (mailbox: string, readIds: readonly number[]): Promise<void> =>
      commit((tx) => {
        store.removeWaiting(tx, readIds)
        store.removeElsewhere(tx, mailbox)
      }),
  }
}

/**
 * What an email has to be about for its bounce to be noted: someone is waiting for it, or it's a
 * newsletter. Those bounce by the dozen, and staff don't follow them up one by one: the list does.
 */
const missedThings: ReadonlySet<string> = new Set(['ticket', 'booking', 'order', 'folder', 'issue'])

const isAboutTicket = (mail: Mail): mail is Mail & { thingId: string } =>
  mail.thing === 'ticket' && mail.thingId !== null

/** Tickets that are no affair of a visitor; see `ofVisitor` of the links. */
const isShut = (status: Ticket['status']): boolean => status === 'spam' || status === 'quarantined'

/** What an email says, as a message of its ticket. */
function messageOf({ text, attachments }: Email): string {
  const words = ownWords(text)
  if (words === '') {
    if (text.trim() !== '') return '[Only a quoted or forwarded email.]'
    return attachments.length > 0 ? '[No text, only attachments.]' : '[No text.]'
  }
  const kept = shortened(words, contactLimits.maxMessage)
  if (kept === words) return words
  return shortened(words, contactLimits.maxMessage - cutNote.length) + cutNote
}
