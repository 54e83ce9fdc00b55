import { createRowSearch } from '../db/row-search.ts'
import { randomUUID } from 'node:crypto'
import { hourMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { integer, listOf, nullable, query, text } from '../db/table.ts'
import type { Keys } from '../secrets/secret-key.ts'
import { createMailLeases } from './leases.ts'
import { mailboxOf } from './recipient.ts'
import { mails, type Mail, type MailStatus } from './schema.ts'

/** The kind of the email that stands for many to staff. */
export const staffSummaryKind = 'staffSummary'

/** What an email is about: the kind of thing, and what people call it, as in the timeline. */
export type MailSubject = { thing: string; id: string }

/** What an email is queued with. */
export type QueuedMail = {
  /** Together with the kind it makes the email the only one of its sort. */
  key: string
  /** Found again by it, and erased with it. */
  about?: MailSubject
  reference?: string | null
  /** Plain JSON for the template; ids rather than texts. */
  data?: unknown
  /** When it may go out, in milliseconds of the epoch, if not at once. */
  dueAt?: number
  /** Its address, where `queuedTo` counts emails of this kind. */
  recipient?: string
  /** Whether it goes to staff: of many in an hour, all but the first come in a summary. */
  toStaff?: boolean
  /** Whether it is one of many at once, which lets all others go first. */
  isBulk?: boolean
}

/** The outbox's rows; the only place with their SQL. */
export type MailStore = ReturnType<typeof createMailStore>

/**
 * Prepares the statements of the outbox.
 * @param options `domain` is after the @ of Message-IDs; `staffMailsAnHour` is how many emails of a
 *   kind staff get one by one, before the others of an hour come in a summary
 */
export function createMailStore(
  db: Database,
  {
    clock,
    domain,
    keys,
    staffMailsAnHour = () => Infinity,
  }: { clock: () => number; domain: string; keys: Keys; staffMailsAnHour?: () => number },
) {
  const insert = mails.insert(db, 'ON CONFLICT (dedupe_key) DO NOTHING')
  // Emails queued while the clock was ahead would count until then, which may be years.
  const since = `queued_at > :after AND queued_at <= :now + ${hourMs}`
  const toStaffSince = query(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM mails
      WHERE to_staff = 1 AND summary IS NULL AND kind = :kind AND ${since} LIMIT :max)`,
    { count: integer() },
  )
  const summarise = db.prepareWrite(`UPDATE mails SET summary = :summary, status = 'dropped',
    due_at = NULL, settled_at = :now, last_reply = 'part of a summary' WHERE id = :id`)
  const retry = db.prepareWrite(`UPDATE mails SET status = 'queued', attempts = 0, due_at = :now,
    settled_at = NULL WHERE id = :id AND status IN ('failed', 'queued')`)
  const dismiss = db.prepareWrite(
    `UPDATE mails SET status = 'dropped' WHERE id = :id AND status = 'failed'`,
  )
  const bounce = db.prepareWrite(`UPDATE mails SET status = 'failed', settled_at = :now,
    last_reply = :reply WHERE id = :id AND status = 'sent'`)
  const queuedTo = query(
    db,
    `SELECT count(*) AS count FROM mails
    WHERE mailbox = :mailbox AND kind = :kind AND ${since}`,
    { count: integer() },
  )
  const hashOf = (address: string) => keys.hash('mailbox', mailboxOf(address)).slice(0, 22)

  const queue = (
    tx: Transaction,
    kind: string,
    {
      key,
      about,
      reference = null,
      data = null,
      dueAt,
      recipient,
      toStaff = false,
      isBulk = false,
    }: QueuedMail,
  ): Mail | null => {
    const now = clock()
    return insert(tx, {
      kind,
      dedupeKey: `${key}:${kind}`,
      thing: about?.thing ?? null,
      thingId: about?.id ?? null,
      reference,
      data: data === null ? null : JSON.stringify(data),
      status: 'queued',
      queuedAt: now,
      dueAt: dueAt ?? now,
      messageId: `${randomUUID()}@${domain}`,
      mailbox: recipient === undefined ? null : hashOf(recipient),
      toStaff,
      isBulk,
    })
  }

  return {
    ...createMailLeases(db, { clock }),
    ...createMailRetention(db),
    ...createMailReader(db),

    /**
     * Queues an email. Call inside the transaction of what it reports. An email with the same key is the
     * same email and is left as it is.
     * @returns whether it is a new one
     */
    enqueue(tx: Transaction, kind: string, mail: QueuedMail): boolean {
      const now = clock()
      const max = mail.toStaff ? staffMailsAnHour() : Infinity
      const isMany =
        max !== Infinity &&
        toStaffSince.get({ kind, after: now - hourMs, now, max: max + 1 })!.count >= max
      const queued = queue(tx, kind, mail)
      if (isMany && queued) {
        const hour = Math.floor(now / hourMs)
        const summary = `${kind}/${hour}`
        summarise.run(tx, { summary, id: queued.id, now })
        queue(tx, staffSummaryKind, {
          key: `summary/${summary}`,
          data: { summary },
          dueAt: (hour + 1) * hourMs,
        })
      }
      return queued !== null
    },

    /**
     * Makes a failed or waiting email due at once, as if it had never been tried. Call inside a
     * transaction.
     * @returns whether it was one
     */
    retry: (tx: Transaction, id: number): boolean =>
      retry.run(tx, { id, now: clock() }).changes === 1,

    /**
     * Takes a failed email off the list of those that wait for a person; why it failed stays. Call inside
     * a transaction.
     * @returns whether it was one
     */
    dismiss: (tx: Transaction, id: number): boolean => dismiss.run(tx, { id }).changes === 1,

    /**
     * Marks a sent email as failed, since a mail server on its way gave it back later. Call inside a
     * transaction.
     * @param reply what that server said
     * @returns whether it was sent, and not known to have failed
     */
    bounce: (tx: Transaction, id: number, reply: string): boolean =>
      bounce.run(tx, { id, reply, now: clock() }).changes === 1,

    /** How many emails of a kind were queued for a mailbox since a moment, however it is spelt. */
    queuedTo: (address: string, kind: string, after: number): number =>
      queuedTo.get({ mailbox: hashOf(address), kind, after, now: clock() })!.count,
  }
}

/** Prepares the statements that look emails up. */
function createMailReader(db: Database) {
  const list = mails.select(db, 'WHERE :status IS NULL OR status = :status ORDER BY id')
  const failedForStaff = mails.select(
    db,
    "WHERE status = 'failed' AND is_bulk = 0 ORDER BY settled_at DESC, id DESC",
  )
  const newest = mails.select(db, 'ORDER BY id DESC')
  const all = query(db, 'SELECT count(*) AS count FROM mails', { count: integer() })
  const heldUp = mails.select(
    db,
    'WHERE due_at IS NOT NULL AND last_reply IS NOT NULL AND queued_at <= :before ORDER BY queued_at, id',
  )
  const one = mails.select(db, 'WHERE id = :id')
  const ofThing = mails.select(db, 'WHERE thing = :thing AND thing_id = :id ORDER BY id')
  const withIds = mails.select(
    db,
    'WHERE message_id IN (SELECT value FROM json_each(:messageIds)) ORDER BY id',
  )
  const ofSummary = mails.select(db, 'WHERE summary = :summary ORDER BY id LIMIT :max')
  const countOfSummary = query(db, 'SELECT count(*) AS count FROM mails WHERE summary = :summary', {
    count: integer(),
  })
  const withAddress = mails.select(
    db,
    'WHERE lower(recipient) = lower(:email) OR instr(lower(data), lower(:quoted)) > 0 ORDER BY id',
  )
  const newestNotice = mails.select(
    db,
    'WHERE to_staff = 1 AND recipient IS NOT NULL ORDER BY id DESC LIMIT 1',
  )
  const naming = mails.select(db, 'WHERE kind = :kind AND mentions(data, :email) ORDER BY id')
  const ofKinds = mails.select(
    db,
    'WHERE kind IN (SELECT value FROM json_each(:kinds)) ORDER BY id',
  )
  const counts = query(
    db,
    `SELECT (SELECT count(*) FROM mails WHERE due_at IS NOT NULL) AS queued,
    (SELECT count(*) FROM mails WHERE status = 'failed' AND is_bulk = 0) AS failed,
    (SELECT min(queued_at) FROM mails WHERE due_at IS NOT NULL) AS oldest`,
    { queued: integer(), failed: integer(), oldest: nullable(integer()) },
  )

  return {
    /** Emails in the order in which they were queued. */
    list: (status?: MailStatus): Mail[] => list.all({ status: status ?? null }),

    /**
     * Failed emails that wait for a person, the newest first; what became of a newsletter is told with
     * its issue.
     */
    failedForStaff: (): Mail[] => failedForStaff.all(),

    /** Every email, the newest first, one at a time. */
    newest: (): Iterable<Mail> => newest.iterate(),
    /** How many there are. */
    count: (): number => all.get()!.count,

    /** The emails that were tried and still wait. @param before only those queued at this moment or earlier */
    heldUp: (before = Number.MAX_SAFE_INTEGER): Mail[] => heldUp.all({ before }),

    find: (id: number): Mail | null => one.get({ id }),

    /** Finds the ids of emails by kind, what they are about, and recipient. */
    search: createRowSearch(db, 'mails', ['kind', 'reference', 'thing_id', 'recipient']),

    /** The emails about a thing, of every kind, in the order in which they were queued. */
    of: (thing: string, id: string): Mail[] => ofThing.all({ thing, id }),

    /** The emails with some Message-IDs, without angle brackets. */
    withIds: (messageIds: readonly string[]): Mail[] =>
      withIds.all({ messageIds: JSON.stringify(messageIds) }),

    /** The first emails of a summary, and how many it has. */
    ofSummary: (summary: string, max: number): { mails: Mail[]; count: number } => ({
      mails: ofSummary.all({ summary, max }),
      count: countOfSummary.get({ summary })!.count,
    }),

    /** The emails that went to an address, or name it in their data. */
    withAddress: (email: string): Mail[] =>
      withAddress.all({ email, quoted: JSON.stringify(email) }),
    /** Where the newest notice to staff went; null before there was one. */
    staffAddress: (): string | null => newestNotice.get({})?.recipient ?? null,
    /** The emails of a kind with an address anywhere in the words they were queued with. */
    naming: (kind: string, email: string): Mail[] => naming.all({ kind, email }),
    /** The emails of some kinds. */
    ofKinds: (kinds: readonly string[]): Mail[] => ofKinds.all({ kinds: JSON.stringify(kinds) }),

    /**
     * How many wait or have failed, and since when (milliseconds of the epoch) the oldest waits. Of
     * those in bulk some always fail, and no person is waiting for one: they aren't counted as failed.
     */
    counts: () => counts.get()!,
  }
}

/** What tells an email from others: the columns of its file's name. */
const { id, kind, reference, queuedAt } = mails.shape
const trace = { id, kind, reference, queuedAt }

/** Prepares the statements by which emails are forgotten and erased. */
function createMailRetention(db: Database) {
  const settledKinds = query(db, 'SELECT DISTINCT kind FROM mails WHERE due_at IS NULL', {
    kind: text(),
  })
  const forgetSettled = db.prepareWrite(`DELETE FROM mails WHERE id IN (SELECT id FROM mails
    WHERE due_at IS NULL AND kind = :kind AND settled_at < :before LIMIT ${batchSize})`)
  const settledAfter = query(
    db,
    `SELECT ${listOf(trace)} FROM mails
    WHERE id > :after AND due_at IS NULL ORDER BY id LIMIT ${batchSize}`,
    trace,
  )
  const listAfter = query(
    db,
    `SELECT ${listOf(trace)} FROM mails WHERE id > :after ORDER BY id LIMIT ${batchSize}`,
    trace,
  )
  const remove = db.prepareWrite(
    'DELETE FROM mails WHERE id IN (SELECT value FROM json_each(:ids))',
  )

  return {
    /** Removes emails, also those that wait. Call inside a transaction. @returns how many there were */
    remove: (tx: Transaction, ids: readonly number[]): number =>
      remove.run(tx, { ids: JSON.stringify(ids) }).changes,

    /** The kinds of which there are settled emails. */
    settledKinds: (): string[] => settledKinds.all().map((row) => row.kind),

    /** Forgets a batch of emails of a kind that were settled before an instant. @returns how many */
    forgetSettled: (tx: Transaction, ofKind: string, before: number): number =>
      forgetSettled.run(tx, { kind: ofKind, before }).changes,

    /** A batch of settled emails after an id, by their ids. */
    settledAfter: (after: number) => settledAfter.all({ after }),

    /** A batch of emails of every status after an id, by their ids. */
    listAfter: (after: number) => listAfter.all({ after }),
  }
}
