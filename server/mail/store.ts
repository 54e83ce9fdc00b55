import { randomUUID } from 'node:crypto'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import type { Keys } from '../secret-key.ts'
import { mailboxOf } from './recipient.ts'

/** What becomes of a mail; `failed` waits for a person, `dropped` was not to be sent at all. */
export type MailStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'dropped'

/** A row of the outbox. Times are milliseconds of the epoch. */
export type Mail = {
  readonly id: number
  /** Names its template. */
  readonly kind: string
  readonly dedupeKey: string
  /** What staff know it by, such as the id of a ticket; part of the name of its file. */
  readonly reference: string | null
  /** JSON that the message is rendered from, where its reference does not say enough. */
  readonly data: string | null
  readonly status: MailStatus
  readonly attempts: number
  readonly queuedAt: number
  /** When it may be taken next; null once settled. */
  readonly dueAt: number | null
  readonly settledAt: number | null
  /** The mail server's last word, or why nothing was sent. */
  readonly lastReply: string | null
  /** Without angle brackets; the same in every attempt. */
  readonly messageId: string
}

/** The outbox's rows; the only place with their SQL. */
export type MailStore = ReturnType<typeof createMailStore>

const columns = `id, kind, dedupe_key AS dedupeKey, reference, data, status, attempts,
  queued_at AS queuedAt, due_at AS dueAt, settled_at AS settledAt, last_reply AS lastReply,
  message_id AS messageId`

/**
 * Prepares the statements of the outbox.
 * @param domain what stands after the @ of Message-IDs
 */
export function createMailStore(
  db: Database,
  { clock, domain, keys }: { clock: () => number; domain: string; keys: Keys },
) {
  const insert = db.prepareWrite(`INSERT INTO mails
      (kind, dedupe_key, reference, data, mailbox, status, queued_at, due_at, message_id)
    VALUES (:kind, :dedupeKey, :reference, :data, :mailbox, 'queued', :now, :dueAt, :messageId)
    ON CONFLICT (dedupe_key) DO NOTHING`)
  const due = db.prepare('SELECT 1 FROM mails WHERE due_at <= :now LIMIT 1').pluck()
  const lease = db.prepareWrite(`UPDATE mails
    SET status = 'sending', attempts = attempts + 1, due_at = :until
    WHERE id = (SELECT id FROM mails
      WHERE due_at <= :now AND id NOT IN (SELECT value FROM json_each(:busy))
      ORDER BY due_at, id LIMIT 1)
    RETURNING ${columns}`)
  // An attempt counts on, so it tells whether the lease is still the one that was taken.
  const mine = "id = :id AND attempts = :attempts AND status = 'sending'"
  const renew = db.prepareWrite(`UPDATE mails SET due_at = :until WHERE ${mine}`)
  const settle =
    db.prepareWrite(`UPDATE mails SET status = :status, last_reply = :reply, due_at = NULL,
    settled_at = :now, recipient = coalesce(:recipient, recipient) WHERE ${mine}`)
  const postpone = db.prepareWrite(`UPDATE mails SET status = 'queued', last_reply = :reply,
    due_at = :dueAt, recipient = coalesce(:recipient, recipient) WHERE ${mine}`)
  const retry = db.prepareWrite(`UPDATE mails SET status = 'queued', attempts = 0, due_at = :now,
    settled_at = NULL WHERE id = :id AND status IN ('failed', 'queued')`)
  const list = db.prepare(`SELECT ${columns} FROM mails
    WHERE (:status IS NULL OR status = :status) ORDER BY id`)
  const one = db.prepare(`SELECT ${columns} FROM mails WHERE id = :id`)
  const ofKey = db.prepare(`SELECT ${columns} FROM mails
    WHERE dedupe_key >= :key || ':' AND dedupe_key < :key || ';' ORDER BY id`)
  const ofPrefix = db.prepare(`SELECT ${columns} FROM mails
    WHERE dedupe_key >= :prefix AND dedupe_key < :prefix || '~' ORDER BY id`)
  const queuedTo = db
    .prepare(`SELECT count(*) FROM mails
    WHERE mailbox = :mailbox AND kind = :kind AND queued_at > :after`)
    .pluck()
  const forgetSettled = db.prepareWrite(`DELETE FROM mails WHERE id IN (SELECT id FROM mails
    WHERE due_at IS NULL AND kind = :kind AND settled_at < :before LIMIT ${batchSize})`)
  const settledKinds = db.prepare('SELECT DISTINCT kind FROM mails WHERE due_at IS NULL').pluck()
  const about = db.prepare(`SELECT ${columns} FROM mails
    WHERE lower(recipient) = lower(:email) OR instr(lower(data), lower(:quoted)) > 0 ORDER BY id`)
  const remove = db.prepareWrite(
    'DELETE FROM mails WHERE id IN (SELECT value FROM json_each(:ids))',
  )
  const forgetOrphans = db.prepareWrite(`DELETE FROM mails WHERE due_at IS NULL
    AND kind IN (SELECT value FROM json_each(:kinds)) AND reference IS NOT NULL
    AND reference NOT IN (SELECT value FROM json_each(:known))`)
  const counts = db.prepare(`SELECT
    (SELECT count(*) FROM mails WHERE due_at IS NOT NULL) AS queued,
    (SELECT count(*) FROM mails WHERE status = 'failed') AS failed,
    (SELECT min(queued_at) FROM mails WHERE due_at IS NOT NULL) AS oldest`)

  const hashOf = (address: string) => keys.hash('mailbox', mailboxOf(address)).slice(0, 22)

  return {
    /**
     * Queues a mail; belongs into the transaction of what it reports. A mail with the same key is
     * the same mail and is left as it is.
     * @param dueAt when it may go out, if not at once
     * @param recipient its address, where `queuedTo` counts mails of this kind
     * @returns whether it is a new one
     */
    enqueue(
      tx: Transaction,
      kind: string,
      {
        key,
        reference = null,
        data = null,
        dueAt,
        recipient,
      }: {
        key: string
        reference?: string | null
        data?: unknown
        dueAt?: number
        recipient?: string
      },
    ): boolean {
      const now = clock()
      const { changes } = insert.run(tx, {
        kind,
        dedupeKey: `${key}:${kind}`,
        reference,
        data: data === null ? null : JSON.stringify(data),
        mailbox: recipient === undefined ? null : hashOf(recipient),
        now,
        dueAt: dueAt ?? now,
        messageId: `${randomUUID()}@${domain}`,
      })
      return changes === 1
    },

    /** Whether there is anything to send now; takes no lock. */
    isDue: () => due.get({ now: clock() }) !== undefined,

    /**
     * Takes the next mail; until then nobody else does.
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

    /** Makes a failed or waiting mail due at once, with all its attempts before it. @returns whether it was one */
    retry: (tx: Transaction, id: number): boolean =>
      retry.run(tx, { id, now: clock() }).changes === 1,

    /** Mails in the order in which they were queued. */
    list: (status?: MailStatus) => list.all({ status: status ?? null }) as Mail[],

    find: (id: number): Mail | null => (one.get({ id }) as Mail | undefined) ?? null,

    /** The mails that were queued under keys that begin with a text of letters, digits and dashes. */
    ofPrefix: (prefix: string) => ofPrefix.all({ prefix }) as Mail[],

    /** The mails that were queued under a key, of every kind. */
    ofKey: (key: string) => ofKey.all({ key }) as Mail[],

    /** The mails that went to an address, or are about it. */
    about: (email: string) => about.all({ email, quoted: JSON.stringify(email) }) as Mail[],

    /** Removes mails, also those that wait. @returns how many there were */
    remove: (tx: Transaction, ids: readonly number[]): number =>
      remove.run(tx, { ids: JSON.stringify(ids) }).changes,

    /** The kinds of which there are settled mails. */
    settledKinds: () => settledKinds.all() as string[],

    /** Forgets a batch of mails of a kind that were settled before an instant. @returns how many */
    forgetSettled: (tx: Transaction, kind: string, before: number): number =>
      forgetSettled.run(tx, { kind, before }).changes,

    /** Forgets settled mails of some kinds whose reference is none of those that are known. */
    forgetOrphans: (
      tx: Transaction,
      { kinds, known }: { kinds: readonly string[]; known: readonly string[] },
    ) => void forgetOrphans.run(tx, { kinds: JSON.stringify(kinds), known: JSON.stringify(known) }),

    /** How many wait or have failed, and since when the oldest waits. */
    counts: () => counts.get() as { queued: number; failed: number; oldest: number | null },

    /** How many mails of a kind were queued for a mailbox since a moment, however it is spelt. */
    queuedTo: (address: string, kind: string, after: number): number =>
      queuedTo.get({ mailbox: hashOf(address), kind, after }) as number,
  }
}
