import { contactLimits } from '#shared/contact/contact-form.ts'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { grouped } from '#shared/text/counted.ts'
import { isLongerThan } from '#shared/text/text.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { newSecret } from '../secrets/ids.ts'
import { mailbox } from '../mail/message.ts'
import { mailboxOf } from '../mail/recipient.ts'
import { entryText, visitorByLink } from '../timeline/timeline.ts'
import type { AttachedFile, ReplyFiles } from './reply-files.ts'
import type { Ticket, TicketMessage } from './schema.ts'
import type { TicketStore } from './store.ts'

/** Max messages that a visitor can add to a ticket, per day and in total. */
const maxAdded = { day: 20, all: 100 } as const

/** The state of the ticket that the form showed; null without a form, as on the command line. */
type Shown = { state: string | null }

/** The state of a ticket, as its forms carry it. */
export const stateOf = ({ sequence }: { sequence: number }): string => String(sequence)

/**
 * Creates the acts of a ticket's page, for staff and visitor; each is all or nothing.
 * @param dueAt by when a message of an instant is answered
 */
export function createConversationActs(
  { clock, commit, config, log, mails, outbox, timeline }: Platform,
  tickets: TicketStore,
  {
    dueAt,
    files,
  }: {
    dueAt: (receivedAt: number) => number
    files: Pick<ReplyFiles, 'attach' | 'areWaiting' | 'send'>
  },
) {
  const ownMailboxes = new Set(
    [config.mail.from, config.mail.staff].map((own) => mailboxOf(mailbox(own).address)),
  )

  /** A ticket by its ID. @throws missing */
  const known = (ticketId: string): Ticket => {
    const ticket = tickets.find(ticketId)
    if (!ticket) throw failure('missing', { message: 'Ticket not found.' })
    return ticket
  }

  /** @throws changed when a ticket is no longer as it was shown, with what was done last */
  const checkShown = (ticketId: string, { state }: Shown) => {
    if (state === null || state === stateOf(tickets.care(ticketId))) return
    const last = timeline.of('ticket', ticketId).at(-1)
    throw failure('changed', {
      message: `This ticket has changed since you opened it${last ? ` (${entryText(last)})` : ''}. Nothing was sent or saved. Check what’s new, then send again.`,
    })
  }

  const record = (
    tx: Transaction,
    ticketId: string,
    entry: { actor: string; act: string; before?: string | null; after?: string | null },
  ) => timeline.record(tx, { thing: 'ticket', thingId: ticketId, ...entry })

  /** The message that was sent with the same key before. @throws key when that was another one */
  const repeated = (
    key: string,
    { ticketId, author, text }: Pick<TicketMessage, 'ticketId' | 'author' | 'text'>,
  ): TicketMessage | null => {
    const before = tickets.messageOfKey(key)
    if (!before) return null
    if (before.ticketId === ticketId && before.author === author && before.text === text) {
      return before
    }
    throw failure('key')
  }

  /** See `add` below. @param act its words in the history */
  const add = (
    tx: Transaction,
    ticketId: string,
    { text, key, act }: { text: string; key: string; act: string },
  ): TicketMessage => {
    const { status, name } = known(ticketId)
    const before = repeated(key, { ticketId, author: 'visitor', text })
    if (before) return before
    const now = clock()
    const added = tickets.messages(ticketId).filter(({ author }) => author === 'visitor')
    // Messages from while the clock was ahead would count until then, which may be years.
    const today = added.filter(({ at }) => at > now - dayMs && at <= now + hourMs)
    if (today.length >= maxAdded.day || added.length >= maxAdded.all) {
      throw failure('too-many', {
        message: 'You’ve added a lot to this ticket. Please wait for our reply.',
        retryAfter: 3600,
      })
    }
    const kept = tickets.addMessage(tx, { ticketId, author: 'visitor', name, text, at: now, key })
    tickets.verify(tx, ticketId, now)
    const isReopened = status === 'answered' || status === 'closed'
    if (isReopened) {
      tickets.setStatus(tx, ticketId, 'open', now)
      tickets.promise(tx, ticketId, dueAt(now))
    }
    record(tx, ticketId, {
      actor: act === 'answered by email' ? 'visitor' : visitorByLink,
      act,
      ...(isReopened && { before: status, after: 'open' }),
    })
    mails.enqueue(tx, 'ticketAddition', {
      key: `${ticketId}/${kept.id}`,
      about: { thing: 'ticket', id: ticketId },
      reference: ticketId,
      data: { message: kept.id },
      toStaff: true,
    })
    return kept
  }

  return {
    /**
     * Replies to the visitor by email, with the files that were attached under the same key; the ticket
     * is answered. The same key again is the same reply.
     * @param attached files to attach first
     * @param leaveOut ids of files with the key that are to be deleted instead
     * @param by `name` signs the reply, `actor` is who did it in the history
     * @returns the reply as it was kept
     * @throws missing; changed when the ticket isn't as it was shown; key for another text under the same
     *   key; invalid for a text that is empty or too long, what `attach` of `createReplyFiles` refuses, and a ticket from a mailbox of ours
     */
    async reply(
      ticketId: string,
      {
        text,
        key = newSecret(),
        attached = [],
        leaveOut = [],
        state,
      }: {
        text: string
        key?: string
        attached?: readonly AttachedFile[]
        leaveOut?: readonly number[]
      } & Shown,
      { name, actor }: { name: string; actor: string },
    ): Promise<TicketMessage> {
      if (text.trim() === '' || isLongerThan(text, contactLimits.maxMessage)) {
        throw failure('invalid', {
          message: `A reply can have 1 to ${grouped(contactLimits.maxMessage)} characters.`,
        })
      }
      known(ticketId)
      for (const file of attached) await files.attach(ticketId, key, file)
      const message = await commit((tx) => {
        const ticket = known(ticketId)
        const before = repeated(key, { ticketId, author: 'staff', text })
        // A form that was sent already has come again with other files, as by the browser's way back.
        if (before && files.areWaiting(ticketId, key)) throw failure('key')
        if (before) return before
        checkShown(ticketId, { state })
        if (ownMailboxes.has(mailboxOf(ticket.email))) {
          throw failure('invalid', {
            message: 'This ticket came from our own mailbox, so a reply would come back to us.',
          })
        }
        const now = clock()
        const kept = tickets.addMessage(tx, { ticketId, author: 'staff', name, text, at: now, key })
        files.send(tx, kept, leaveOut)
        tickets.setStatus(tx, ticketId, 'answered', now)
        tickets.verify(tx, ticketId, now)
        record(tx, ticketId, { actor, act: 'replied', before: ticket.status, after: 'answered' })
        mails.enqueue(tx, 'ticketReply', {
          key: `${ticketId}/${kept.id}`,
          about: { thing: 'ticket', id: ticketId },
          reference: ticketId,
          data: { message: kept.id },
        })
        return kept
      })
      outbox.wake()
      log.info({ ticketId }, 'ticket answered')
      return message
    },

    /** See `attach` of `createReplyFiles`. @throws missing for an unknown ticket, and what that throws */
    async attach(ticketId: string, key: string, file: AttachedFile): Promise<void> {
      known(ticketId)
      await files.attach(ticketId, key, file)
    },

    /**
     * Assigns a ticket to someone of the staff; repeating it changes nothing.
     * @param assignee null for no one
     * @throws missing; changed when the ticket isn't as it was shown
     */
    assign: (
      ticketId: string,
      { assignee, state }: { assignee: string | null } & Shown,
      actor: string,
    ): Promise<void> =>
      commit((tx) => {
        known(ticketId)
        const before = tickets.care(ticketId).assignee
        if (before === assignee) return
        checkShown(ticketId, { state })
        tickets.assign(tx, ticketId, assignee)
        record(tx, ticketId, {
          actor,
          act: 'assigned',
          before: before ?? 'nobody',
          after: assignee ?? 'nobody',
        })
      }),

    /**
     * Adds what a visitor writes on the ticket's own page, which only its mailbox can open. An answered
     * or closed ticket reopens, with a new due day for the reply. The same key again is the same
     * message.
     * @throws missing; too-many beyond what one may add in a day or in all; key
     */
    async add(ticketId: string, { text, key }: { text: string; key: string }): Promise<void> {
      await commit((tx) => add(tx, ticketId, { text, key, act: 'added' }))
      outbox.wake()
    },

    /**
     * The same for a reply by email, in the transaction that stores the email. Call inside a
     * transaction and wake the outbox afterwards.
     * @returns the message as it was kept
     */
    addByEmail: (
      tx: Transaction,
      ticketId: string,
      { text, key }: { text: string; key: string },
    ): TicketMessage => add(tx, ticketId, { text, key, act: 'answered by email' }),

    /** Records that the owner of the mailbox says they wrote the message; idempotent. */
    claim: (ticketId: string): Promise<void> =>
      commit((tx) => {
        known(ticketId)
        if (tickets.care(ticketId).verifiedAt !== null) return
        tickets.verify(tx, ticketId, clock())
        record(tx, ticketId, { actor: visitorByLink, act: 'claimed' })
      }),

    checkShown,
  }
}
