import {
  messageIn,
  ticketStatuses,
  type ContactRecord,
  type SaveReply,
  type TicketStatus,
} from '#shared/contact/contact.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { TimelineEntry } from '../timeline/schema.ts'
import { networkOf } from '../http/connections/client-address.ts'
import { newSecret } from '../secrets/ids.ts'
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

/** The status that undoing the last change restores, or why it can't be undone. */
type Undo = { status: TicketStatus; problem: null } | { status: null; problem: string }

/** Whether someone waits for a reply to a ticket of a status. */
const isWaiting = (status: TicketStatus): boolean => status === 'new' || status === 'open'

/** Where undoing the last status change leads. @param last the last entry of its history */
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
  return status === 'quarantined' && isWaiting(now)
    ? refused('its emails are on their way.')
    : { status, problem: null }
}

/** Acts of visitors, staff and jobs on tickets. */
export type TicketActions = ReturnType<typeof createTicketActions>

/** Creates the acts on tickets; each is all or nothing. */
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
   * Queues the two emails of a ticket: the notice to staff, and the confirmation unless its mailbox has
   * reached its limit, or its network has (`isFlood`).
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
   * Saves a message and queues its emails.
   * @throws duplicate when the ticket id belongs to another message; too-many when its network has
   *   reached the daily limit, or quarantine is full; too-large for a message too long for quarantine
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
      const isFlood =
        tickets.countOfNetwork(network, { now, ms: dayMs }) > shares.settings().mails.network
      queueMails(tx, { ticketId, email: message.email }, { isFlood })
    }
    return { status: 'saved', quarantined }
  }

  /** A ticket by its ID. @throws missing */
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
     * Saves a message (docs/contract.md, Mail and Contact form). Resolves once ticket and emails are on
     * disk, without revealing whether the ticket was quarantined: because the honeypot (`website`) was
     * filled in, or because a message without a form proof is doubtful.
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
     * Sets a ticket's status. Marking it as answered confirms the sender's address; leaving quarantine
     * for new or open sends the two emails; reopening it after the promised day sets a new one.
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
        const waits = isWaiting(status)
        tickets.setStatus(tx, ticketId, status, now)
        if (status === 'answered') tickets.verify(tx, ticketId, now)
        // No one is promised a reply by a day that has passed.
        if (waits && ticket.dueAt < now) tickets.promise(tx, ticketId, dueAt(now))
        timeline.record(tx, {
          thing: 'ticket',
          thingId: ticketId,
          actor,
          act: 'status',
          before: ticket.status,
          after: status,
        })
        if (ticket.status === 'quarantined' && waits) {
          queueMails(tx, ticket, { isFlood: false })
        }
        return ticket
      })
      outbox.wake()
      return before
    },

    /**
     * Undoes the last status change; the undo is recorded as a change of its own. A ticket whose day has
     * passed since that change gets another one.
     * @param shown the state that a form showed; null without a form
     * @returns the ticket as it was before, and the status that it has again
     * @throws missing when there is no such ticket; changed when it isn't as it was shown; wrong-state
     *   when something else was done last, when it was undone already, or when the change has sent
     *   emails
     */
    undoStatus: (
      ticketId: string,
      actor: string,
      shown: string | null = null,
    ): Promise<{ before: Ticket; status: TicketStatus }> =>
      commit((tx) => {
        const before = known(ticketId)
        checkShown(ticketId, { state: shown })
        const last = timeline.of('ticket', ticketId).at(-1)
        const { status, problem } = undoOf(before, last)
        if (problem !== null) {
          throw failure('wrong-state', { message: `${ticketId}: ${problem}` })
        }
        const now = clock()
        tickets.setStatus(tx, ticketId, status, now)
        // No one is promised a reply by a day that has passed meanwhile; one that was late stays late.
        const wasLate = last !== undefined && before.dueAt < last.at
        if (isWaiting(status) && before.dueAt < now && !wasLate) {
          tickets.promise(tx, ticketId, dueAt(now))
        }
        // Recorded under its own name, so it can't itself be undone.
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
     * Adds a note to a ticket; a repeat of the last one is ignored.
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
