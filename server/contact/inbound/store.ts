import { createAddresses } from '../../db/addresses.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { integer, query, type NewRowOf } from '../../db/table.ts'
import {
  inboundMailboxes,
  ticketMessageEmails,
  waitingEmails,
  type TicketMessageEmail,
  type WaitingEmail,
} from '../schema.ts'

/** What is kept of emails to us; the only place with their SQL. */
export type InboundStore = ReturnType<typeof createInboundStore>

/** Prepares the statements of emails to us. */
export function createInboundStore(db: Database) {
  const mailbox = inboundMailboxes.select(db, 'WHERE mailbox = :mailbox')
  const pass = inboundMailboxes.insert(
    db,
    `ON CONFLICT (mailbox) DO UPDATE SET passed_uid = max(passed_uid, excluded.passed_uid)`,
  )
  const addWaiting = waitingEmails.insert(db, 'ON CONFLICT (mailbox, uid) DO NOTHING')
  const waiting = waitingEmails.select(db, 'ORDER BY received_at DESC, id DESC')
  const ofMailbox = waitingEmails.select(db, 'WHERE mailbox = :mailbox ORDER BY uid')
  const ofSender = waitingEmails.select(
    db,
    'WHERE lower(sender) = lower(:email) ORDER BY received_at',
  )
  const count = query(db, 'SELECT count(*) AS count FROM waiting_emails', { count: integer() })
  const remove = db.prepareWrite(
    'DELETE FROM waiting_emails WHERE id IN (SELECT value FROM json_each(:ids))',
  )
  const removeElsewhere = db.prepareWrite('DELETE FROM waiting_emails WHERE mailbox <> :mailbox')
  const removeOld = db.prepareWrite('DELETE FROM waiting_emails WHERE received_at < :before')
  const erase = db.prepareWrite('DELETE FROM waiting_emails WHERE lower(sender) = lower(:email)')
  const addEmail = ticketMessageEmails.insert(db)
  const email = ticketMessageEmails.select(db, 'WHERE message = :message')

  return {
    /** The greatest UID of a mailbox of which nothing is left to do; null for a mailbox that is new. */
    passedUid: (id: string): number | null => mailbox.get({ mailbox: id })?.passedUid ?? null,
    pass: (tx: Transaction, id: string, uid: number): void =>
      void pass(tx, { mailbox: id, passedUid: uid }),

    /** Emails that wait for staff, the newest first. */
    waiting: (): WaitingEmail[] => waiting.all(),
    waitingIn: (id: string): WaitingEmail[] => ofMailbox.all({ mailbox: id }),
    waitingOf: (sender: string): WaitingEmail[] => ofSender.all({ email: sender }),
    addresses: createAddresses(db, 'waiting_emails', 'sender'),
    waitingCount: (): number => count.get()!.count,
    addWaiting: (tx: Transaction, row: NewRowOf<typeof waitingEmails>): void =>
      void addWaiting(tx, row),
    removeWaiting: (tx: Transaction, ids: readonly number[]): void =>
      void remove.run(tx, { ids: JSON.stringify(ids) }),
    /** Forgets what waited in a mailbox that isn't the one we read any more. */
    removeElsewhere: (tx: Transaction, id: string): void =>
      void removeElsewhere.run(tx, { mailbox: id }),
    /** @param before milliseconds of the epoch @returns how many */
    removeOld: (tx: Transaction, before: number): number => removeOld.run(tx, { before }).changes,
    /** @returns how many */
    erase: (tx: Transaction, sender: string): number => erase.run(tx, { email: sender }).changes,

    addEmail: (tx: Transaction, row: NewRowOf<typeof ticketMessageEmails>): void =>
      void addEmail(tx, row),
    /** The email that a message of a ticket came as; null for one from a page. */
    emailOf: (message: number): TicketMessageEmail | null => email.get({ message }),
  }
}
