import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { mailColumns, type Mail } from './mail.ts'

/** Prepares the statements by which the outbox takes mails and says what became of them. */
export function createMailLeases(db: Database, { clock }: { clock: () => number }) {
  const due = db.prepare('SELECT 1 FROM mails WHERE due_at <= :now LIMIT 1').pluck()
  const lease = db.prepareWrite(`UPDATE mails
    SET status = 'sending', attempts = attempts + 1, due_at = :until
    WHERE id = (SELECT id FROM mails
      WHERE due_at <= :now AND id NOT IN (SELECT value FROM json_each(:busy))
      ORDER BY due_at, id LIMIT 1)
    RETURNING ${mailColumns}`)
  // An attempt counts on, so it tells whether the lease is still the one that was taken.
  const mine = "id = :id AND attempts = :attempts AND status = 'sending'"
  const renew = db.prepareWrite(`UPDATE mails SET due_at = :until WHERE ${mine}`)
  const settle =
    db.prepareWrite(`UPDATE mails SET status = :status, last_reply = :reply, due_at = NULL,
    settled_at = :now, recipient = coalesce(:recipient, recipient) WHERE ${mine}`)
  const postpone = db.prepareWrite(`UPDATE mails SET status = 'queued', last_reply = :reply,
    due_at = :dueAt, recipient = coalesce(:recipient, recipient) WHERE ${mine}`)

  return {
    /** Whether there is anything to send now; takes no lock. */
    isDue: () => due.get({ now: clock() }) !== undefined,

    /**
     * Takes the next mail; until the lease ends no other process does.
     * @param busy ids of mails that this process is still sending
     */
    lease: (tx: Transaction, ms: number, busy: readonly number[]): Mail | null => {
      const now = clock()
      return (
        (lease.get(tx, { now, until: now + ms, busy: JSON.stringify(busy) }) as Mail | undefined) ??
        null
      )
    },

    /** Keeps a leased mail for longer. */
    renew: (tx: Transaction, { id, attempts }: Mail, ms: number) =>
      void renew.run(tx, { id, attempts, until: clock() + ms }),

    /** Ends a leased mail. @param recipient whom it was for, where it came so far */
    settle: (
      tx: Transaction,
      { id, attempts }: Mail,
      status: 'sent' | 'failed' | 'dropped',
      reply: string,
      recipient: string | null = null,
    ) => void settle.run(tx, { id, attempts, status, reply, recipient, now: clock() }),

    /** Gives a leased mail back, to be tried again at `dueAt`. */
    postpone: (
      tx: Transaction,
      { id, attempts }: Mail,
      dueAt: number,
      reply: string,
      recipient: string | null = null,
    ) => void postpone.run(tx, { id, attempts, dueAt, reply, recipient }),
  }
}
