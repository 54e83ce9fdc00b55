import { minuteMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { integer, nullable, query, text } from '../db/table.ts'
import { mails, type Mail } from './schema.ts'

/** Prepares the statements by which the outbox takes emails and says what became of them. */
export function createMailLeases(db: Database, { clock }: { clock: () => number }) {
  const unsentSince = query(
    db,
    `SELECT min(due_at) FILTER (WHERE attempts = 0 AND due_at <= :now) AS untried,
        min(queued_at) FILTER (WHERE attempts > 1 OR attempts = 1 AND status <> 'sending') AS tried
      FROM mails WHERE due_at IS NOT NULL`,
    { untried: nullable(integer()), tried: nullable(integer()) },
  )
  const unsentReply = query(
    db,
    `SELECT last_reply AS reply FROM mails WHERE due_at IS NOT NULL AND last_reply IS NOT NULL
      ORDER BY due_at DESC LIMIT 1`,
    { reply: text() },
  )
  const due = query(db, 'SELECT 1 AS one FROM mails WHERE due_at <= :now LIMIT 1', {
    one: integer(),
  })
  const lease = db.prepareWrite(`UPDATE mails
    SET status = 'sending', attempts = attempts + 1, due_at = :until
    WHERE id = (SELECT id FROM mails
      WHERE due_at <= :now AND is_bulk <= :bulk AND id NOT IN (SELECT value FROM json_each(:busy))
      ORDER BY is_bulk, due_at, id LIMIT 1)
    RETURNING ${mails.columns}`)
  // An attempt counts on, so it tells whether the lease is still the one that was taken.
  const mine = "id = :id AND attempts = :attempts AND status = 'sending'"
  const renew = db.prepareWrite(`UPDATE mails SET due_at = :until WHERE ${mine}`)
  const settle =
    db.prepareWrite(`UPDATE mails SET status = :status, last_reply = :reply, due_at = NULL,
    settled_at = :now, recipient = coalesce(:recipient, recipient) WHERE ${mine}`)
  const postpone = db.prepareWrite(`UPDATE mails SET status = 'queued', last_reply = :reply,
    due_at = :dueAt, recipient = coalesce(:recipient, recipient) WHERE ${mine}`)

  // Times that were written down while the clock was ahead.
  const slackMs = 5 * minuteMs
  const queuedLater =
    db.prepareWrite(`UPDATE mails SET due_at = max(:now, due_at - (queued_at - :now)),
    queued_at = :now WHERE due_at IS NOT NULL AND queued_at > :now + ${slackMs}`)
  const retriedLater = db.prepareWrite(`UPDATE mails SET due_at = :latest
    WHERE attempts > 0 AND due_at > :latest + ${slackMs}`)

  return {
    /**
     * Brings due times back that a wrong clock has set: no email waits for longer than for its next
     * attempt, or than it was to wait when it was queued.
     */
    mendTimes(tx: Transaction, { now, maxRetryMs }: { now: number; maxRetryMs: number }): void {
      queuedLater.run(tx, { now })
      retriedLater.run(tx, { latest: now + maxRetryMs })
    },

    /**
     * Since when the oldest email waits that is due and wasn't tried yet, and the oldest of those that were
     * tried in vain; null when none does.
     */
    unsentSince: () => unsentSince.get({ now: clock() })!,

    /** Why emails wait: what came of the last attempt for one of them; null where none was tried. */
    unsentReply: (): string | null => unsentReply.get()?.reply ?? null,

    /** Whether there is anything to send now; takes no lock. */
    isDue: () => due.get({ now: clock() }) !== null,

    /**
     * Takes the next email, those in bulk after all others; until the lease ends no other process does.
     * @param busy ids of emails that this process is still sending
     * @param options `bulk` false leaves those in bulk alone
     */
    lease: (
      tx: Transaction,
      ms: number,
      busy: readonly number[],
      { bulk = true }: { bulk?: boolean } = {},
    ): Mail | null => {
      const now = clock()
      const row = lease.get(tx, {
        now,
        until: now + ms,
        busy: JSON.stringify(busy),
        bulk: bulk ? 1 : 0,
      })
      return row === undefined ? null : mails.read(row)
    },

    /** Keeps a leased email for longer. */
    renew: (tx: Transaction, { id, attempts }: Mail, ms: number) =>
      void renew.run(tx, { id, attempts, until: clock() + ms }),

    /** Ends a leased email. @param recipient whom it was for, where it came so far */
    settle: (
      tx: Transaction,
      { id, attempts }: Mail,
      status: 'sent' | 'failed' | 'dropped',
      reply: string,
      recipient: string | null = null,
    ) => void settle.run(tx, { id, attempts, status, reply, recipient, now: clock() }),

    /** Gives a leased email back, to be tried again at `dueAt`. */
    postpone: (
      tx: Transaction,
      { id, attempts }: Mail,
      dueAt: number,
      reply: string,
      recipient: string | null = null,
    ) => void postpone.run(tx, { id, attempts, dueAt, reply, recipient }),
  }
}
