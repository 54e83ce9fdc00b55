import {
  messageIn,
  ticketStatuses,
  type ContactRecord,
  type SaveReply,
  type TicketStatus,
} from '#shared/contact.ts'
import { dayMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { TimelineEntry } from '../timeline/schema.ts'
import { networkOf } from '../http/connections/client-address.ts'
import { newSecret } from '../ids.ts'
import { maskEmail } from '../logging/log.ts'
import {
  confirmationsApart,
  createDueAt,
  hashOf,
  isDoubtful,
  isUsedUp,
  monthsBefore,
  quarantineDays,
  ticketMonths,
} from './rules.ts'
import { createConversationActs } from './conversation-acts.ts'
import type { ReplyFiles } from './reply-files.ts'
import type { Ticket } from './schema.ts'
import type { TicketStore } from './store.ts'

/**
 * Who sends a message: the client's address, the X-Form-Proof header if there is one, and whether it
 * comes in the session of a client who has the email address in it.
 */
type Sender = { address: string; proof: string | null; isOwn: boolean }

/** What became of a ticket's status by its last change, and what prevents taking that back. */
type Undo = { status: TicketStatus; problem: null } | { status: null; problem: string }

/** What taking the last change of a ticket's status back leads to. @param last the last entry of its history */
export function undoOf(
  { status: now }: Pick<Ticket, 'status'>,
  last: Pick<TimelineEntry, 'act' | 'before' | 'after'> | undefined,
): Undo {
  const refused = (problem: string): Undo => ({ status: null, problem })
  const status = ticketStatuses.find((each) => each === last?.before)
  if (last?.act === 'undone') return refused('the last change was undone.')
  if (last?.act !== 'status' || last.after !== now || !status) {
    return refused('the last change wasn’t to its status.')
  }
  return status === 'quarantined' && (now === 'new' || now === 'open')
    ? refused('its emails are on their way.')
    : { status, problem: null }
}

/** What visitors, staff and jobs do with tickets. */
export type TicketActions = ReturnType<typeof createTicketActions>

/** Makes what visitors, staff and jobs do with tickets; each act is all or nothing. */
export function createTicketActions(
  platform: Platform,
  { tickets, files }: { tickets: TicketStore; files: ReplyFiles },
) {
  const { clock, commit, formProofs, log, mails, outbox, shares, timeline } = platform
  const dueAt = createDueAt()
  const { checkShown, ...conversation } = createConversationActs(platform, tickets, {
    dueAt,
    files,
  })

  /**
   * Queues the two emails of a ticket: the notice to staff, and the confirmation unless its mailbox
   * has had enough of them, or its network (`isFlood`) has caused too many.
   */
  const queueMails = (
    tx: Transaction,
    { ticketId, email }: Pick<Ticket, 'ticketId' | 'email'>,
    { isFlood }: { isFlood: boolean },
  ): void => {
    const about = { thing: 'ticket', id: ticketId }
    const mail = { key: ticketId, about, reference: ticketId }
    const isTooSoon = () => mails.queuedTo(email, 'confirmation', clock() - confirmationsApart) > 0
    if (!(shares.isOn && (isFlood || isTooSoon())) && shares.mayMail(email, 'confirmation')) {
      mails.enqueue(tx, 'confirmation', { ...mail, recipient: email })
    }
    mails.enqueue(tx, 'notice', { ...mail, toStaff: true })
  }

  /**
   * Keeps a message with its emails.
   * @throws duplicate when the ticket id belongs to another message; too-many when its network has sent
   *   all that one may in a day, or when no more is kept in quarantine; too-large for a message that
   *   is too long for it
   */
  const keep = (
    tx: Transaction,
    record: ContactRecord,
    { address, proof, isOwn, isTrapped }: Sender & { isTrapped: boolean },
  ): { status: SaveReply['status']; quarantined: boolean } => {
    const now = clock()
    const ticketId = record['Ticket ID']
    const message = messageIn(record)
    const contentHash = hashOf(message)
    const known = tickets.contentHash(ticketId)
    if (known === contentHash) return { status: 'repeat', quarantined: false }
    if (known !== null) throw failure('duplicate')
    const network = networkOf(platform, address)
    if (isUsedUp(tickets, network, now)) throw failure('too-many', { retryAfter: 3600 })
    const sent = formProofs.read(proof)
    const proven = sent !== null && formProofs.use(tx, sent)
    const quarantined = isTrapped || (!proven && isDoubtful(tickets, message, { network, now }))
    if (quarantined) {
      const sender = shares.sender({ email: message.email, address })
      const bytes = Buffer.byteLength(JSON.stringify(record))
      shares.checkRoom('ticket', sender, bytes)
      shares.claim(tx, 'ticket', ticketId, sender, { bytes, parked: 'doubtful' })
    }
    tickets.insert(tx, {
      ticketId,
      status: quarantined ? 'quarantined' : 'new',
      ...message,
      date: record.Date,
      receivedAt: now,
      dueAt: dueAt(now),
      contentHash,
      network,
      proven,
      verifiedAt: isOwn ? now : null,
      secret: newSecret(),
    })
    if (!quarantined) {
      const isFlood = tickets.countOfNetwork(network, now - dayMs) > shares.settings().mails.network
      queueMails(tx, { ticketId, email: message.email }, { isFlood })
    }
    return { status: 'saved', quarantined }
  }

  /** A ticket that has to be there. */
  const known = (ticketId: string): Ticket => {
    const ticket = tickets.find(ticketId)
    if (!ticket) throw failure('missing', { message: 'Ticket not found.' })
    return ticket
  }

  const remove = (tx: Transaction, ids: readonly string[]) => {
    tickets.remove(tx, ids)
    timeline.forget(tx, 'ticket', ids)
  }

  return {
    ...conversation,

    /**
     * Saves a message (docs/contract.md, Mail and Contact form). It resolves once ticket and emails
     * are on disk, and never tells whether the ticket went into quarantine: when the honeypot
     * (`website`) was filled in, or when a message without a form proof is doubtful.
     * @throws see {@link keep}
     */
    async save(
      { website, ...record }: ContactRecord & { website?: unknown },
      sender: Sender,
    ): Promise<SaveReply> {
      const ticketId = record['Ticket ID']
      const isTrapped = typeof website === 'string' ? website.trim() !== '' : Boolean(website)
      const { status, quarantined } = await commit((tx) =>
        keep(tx, record, { ...sender, isTrapped }),
      )
      if (status === 'saved') {
        outbox.wake()
        log.info({ ticketId, email: maskEmail(record.Email), quarantined }, 'ticket saved')
      }
      return { success: true, ticketId, status }
    },

    /**
     * Gives a ticket another status. An answer says that the address is its sender's; one that
     * leaves quarantine for new or open gets its two emails, and one that waits for a reply again after
     * its day has passed gets another day.
     * @param actor a name of staff
     * @param shown the state that a form showed; null without a form
     * @returns the ticket as it was before
     * @throws missing when there is no such ticket; changed when it isn't as it was shown
     */
    async setStatus(
      ticketId: string,
      status: TicketStatus,
      actor: string,
      shown: string | null = null,
    ): Promise<Ticket> {
      const before = await commit((tx) => {
        const ticket = known(ticketId)
        if (ticket.status === status) return ticket
        checkShown(ticketId, { state: shown })
        const now = clock()
        const isWaiting = status === 'new' || status === 'open'
        tickets.setStatus(tx, ticketId, status, now)
        if (status === 'answered') tickets.verify(tx, ticketId, now)
        // No one is promised a reply by a day that has passed.
        if (isWaiting && ticket.dueAt < now) tickets.promise(tx, ticketId, dueAt(now))
        timeline.record(tx, {
          thing: 'ticket',
          thingId: ticketId,
          actor,
          act: 'status',
          before: ticket.status,
          after: status,
        })
        if (ticket.status === 'quarantined' && isWaiting) {
          queueMails(tx, ticket, { isFlood: false })
        }
        return ticket
      })
      outbox.wake()
      return before
    },

    /**
     * Takes back the last change of a ticket's status, which is a change of its own.
     * @param shown the state that a form showed; null without a form
     * @returns the ticket as it was before, and the status that it has again
     * @throws missing when there is no such ticket; changed when it isn't as it was shown; wrong-state when
     *   something else was done last, when it was taken back already, or when the change has sent emails
     */
    undoStatus: (
      ticketId: string,
      actor: string,
      shown: string | null = null,
    ): Promise<{ before: Ticket; status: TicketStatus }> =>
      commit((tx) => {
        const before = known(ticketId)
        checkShown(ticketId, { state: shown })
        const { status, problem } = undoOf(before, timeline.of('ticket', ticketId).at(-1))
        if (problem !== null) {
          throw failure('wrong-state', { message: `${ticketId}: ${problem}` })
        }
        tickets.setStatus(tx, ticketId, status, clock())
        // By a name of its own, so that it isn't the next thing to be taken back.
        timeline.record(tx, {
          thing: 'ticket',
          thingId: ticketId,
          actor,
          act: 'undone',
          before: before.status,
          after: status,
        })
        return { before, status }
      }),

    /**
     * Adds a note to a ticket; the same one twice in a row is one.
     * @param actor a name of staff
     * @throws missing when there is no such ticket; invalid for a note that says nothing
     */
    note: (ticketId: string, text: string, actor: string): Promise<void> =>
      commit((tx) => {
        if (text.trim() === '') throw failure('invalid', { message: 'Please write a note.' })
        known(ticketId)
        const last = timeline.of('ticket', ticketId).at(-1)
        if (last?.act === 'note' && last.note === text && last.actor === actor) return
        timeline.record(tx, { thing: 'ticket', thingId: ticketId, actor, act: 'note', note: text })
      }),

    /** Erases the tickets of an address with their changes. Call inside a transaction. @returns their numbers */
    erase(tx: Transaction, email: string): string[] {
      const ids = tickets.ofEmail(email).map(({ ticketId }) => ticketId)
      remove(tx, ids)
      return ids
    },

    /**
     * Forgets a batch of tickets older than the privacy policy says they are kept, with their
     * changes. Call inside a transaction.
     * @returns how many
     */
    forgetOld(tx: Transaction): number {
      const ids = tickets.old({
        before: monthsBefore(clock(), ticketMonths),
        quarantinedBefore: clock() - quarantineDays * dayMs,
      })
      remove(tx, ids)
      return ids.length
    },
  }
}
