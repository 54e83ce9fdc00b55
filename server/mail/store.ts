import { randomUUID } from 'node:crypto'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Keys } from '../secret-key.ts'
import { createMailLeases } from './leases.ts'
import { mailColumns, type Mail, type MailStatus } from './mail.ts'
import { mailboxOf } from './recipient.ts'
import { createMailRetention } from './retention.ts'

/** The outbox's rows; the only place with their SQL. */
export type MailStore = ReturnType<typeof createMailStore>

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
  const retry = db.prepareWrite(`UPDATE mails SET status = 'queued', attempts = 0, due_at = :now,
    settled_at = NULL WHERE id = :id AND status IN ('failed', 'queued')`)
  const queuedTo = db
    .prepare(`SELECT count(*) FROM mails
    WHERE mailbox = :mailbox AND kind = :kind AND queued_at > :after`)
    .pluck()
  const hashOf = (address: string) => keys.hash('mailbox', mailboxOf(address)).slice(0, 22)

  return {
    ...createMailLeases(db, { clock }),
    ...createMailRetention(db),
    ...createMailReader(db),

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

    /** Makes a failed or waiting mail due at once, with all its attempts before it. @returns whether it was one */
    retry: (tx: Transaction, id: number): boolean =>
      retry.run(tx, { id, now: clock() }).changes === 1,

    /** How many mails of a kind were queued for a mailbox since a moment, however it is spelt. */
    queuedTo: (address: string, kind: string, after: number): number =>
      queuedTo.get({ mailbox: hashOf(address), kind, after }) as number,
  }
}

/** Prepares what looks mails up. */
function createMailReader(db: Database) {
  const list = db.prepare(`SELECT ${mailColumns} FROM mails
    WHERE (:status IS NULL OR status = :status) ORDER BY id`)
  const one = db.prepare(`SELECT ${mailColumns} FROM mails WHERE id = :id`)
  const ofKey = db.prepare(`SELECT ${mailColumns} FROM mails
    WHERE dedupe_key >= :key || ':' AND dedupe_key < :key || ';' ORDER BY id`)
  const ofPrefix = db.prepare(`SELECT ${mailColumns} FROM mails
    WHERE dedupe_key >= :prefix AND dedupe_key < :prefix || '~' ORDER BY id`)
  const about = db.prepare(`SELECT ${mailColumns} FROM mails
    WHERE lower(recipient) = lower(:email) OR instr(lower(data), lower(:quoted)) > 0 ORDER BY id`)
  const counts = db.prepare(`SELECT
    (SELECT count(*) FROM mails WHERE due_at IS NOT NULL) AS queued,
    (SELECT count(*) FROM mails WHERE status = 'failed') AS failed,
    (SELECT min(queued_at) FROM mails WHERE due_at IS NOT NULL) AS oldest`)

  return {
    /** Mails in the order in which they were queued. */
    list: (status?: MailStatus) => list.all({ status: status ?? null }) as Mail[],

    find: (id: number): Mail | null => (one.get({ id }) as Mail | undefined) ?? null,

    /** The mails that were queued under keys that begin with a text of letters, digits and dashes. */
    ofPrefix: (prefix: string) => ofPrefix.all({ prefix }) as Mail[],

    /** The mails that were queued under a key, of every kind. */
    ofKey: (key: string) => ofKey.all({ key }) as Mail[],

    /** The mails that went to an address, or are about it. */
    about: (email: string) => about.all({ email, quoted: JSON.stringify(email) }) as Mail[],

    /** How many wait or have failed, and since when the oldest waits. */
    counts: () => counts.get() as { queued: number; failed: number; oldest: number | null },
  }
}
