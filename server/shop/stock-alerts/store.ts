import { dayMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'
import { newSecret } from '../../secrets/ids.ts'
import { mailboxOf, spellingsOf } from '../../mail/recipient.ts'
import { stockAlerts, type StockAlert } from '../schema.ts'

/** How long a link waits to be confirmed, and how long a confirmed alert waits for pieces. */
export const unconfirmedDays = 2
export const waitingDays = 180

/** Max alerts that wait for their link, of everyone. */
const maxUnconfirmed = 5000

/** Stock alerts; the only place with their SQL. */
export type StockAlerts = ReturnType<typeof createStockAlerts>

/** Prepares the statements of stock alerts. */
export function createStockAlerts(db: Database, { clock }: { clock: () => number }) {
  const one = stockAlerts.select(
    db,
    'WHERE variant = :variant AND mailbox IN (SELECT value FROM json_each(:mailboxes)) ORDER BY id LIMIT 1',
  )
  const bySecret = stockAlerts.select(db, 'WHERE secret = :secret')
  const ofMailbox = stockAlerts.select(db, 'WHERE mailbox = :mailbox ORDER BY id')
  const insert = stockAlerts.insert(db)
  const askAgain = stockAlerts.update(db, ['askedAt'], 'WHERE id = :id')
  const setConfirmed = stockAlerts.update(db, ['confirmedAt'], 'WHERE id = :id')
  const remove = db.prepareWrite('DELETE FROM stock_alerts WHERE id = ?')
  const removeMailbox = db.prepareWrite('DELETE FROM stock_alerts WHERE mailbox = ?')
  const unconfirmed = query(
    db,
    'SELECT count(*) AS count FROM stock_alerts WHERE confirmed_at IS NULL',
    { count: integer() },
  )
  const waiting = query(
    db,
    `SELECT count(*) AS count FROM stock_alerts
     WHERE variant = :variant AND confirmed_at IS NOT NULL`,
    { count: integer() },
  )
  const due = stockAlerts.select(
    db,
    `WHERE confirmed_at IS NOT NULL AND variant IN (
       SELECT variants.id FROM variants JOIN products ON products.id = variants.product
       WHERE products.published = 1 AND (variants.stock IS NULL OR variants.stock > 0))
     ORDER BY confirmed_at, id LIMIT ${batchSize}`,
  )
  const forget = db.prepareWrite(`DELETE FROM stock_alerts WHERE id IN (
    SELECT id FROM stock_alerts
    WHERE (confirmed_at IS NULL AND asked_at < :unconfirmed) OR confirmed_at < :waiting
    LIMIT ${batchSize})`)

  return {
    /**
     * Asks for an alert, or again for the link of one. Call inside a transaction.
     * @returns null for one that is confirmed already, or when too many wait
     */
    ask(tx: Transaction, variant: number, email: string): StockAlert | null {
      const mailbox = mailboxOf(email)
      const mailboxes = JSON.stringify(spellingsOf(mailbox))
      const known = one.get({ variant, mailboxes })
      if (known && known.confirmedAt !== null) return null
      const askedAt = clock()
      if (known) askAgain(tx, { askedAt }, { id: known.id })
      else if (unconfirmed.get()!.count >= maxUnconfirmed) return null
      else insert(tx, { variant, email, mailbox, secret: newSecret(), askedAt, confirmedAt: null })
      return one.get({ variant, mailboxes })
    },

    /** The alert of a link; null for any other text. */
    find: (secret: string): StockAlert | null =>
      /^[\w-]{16,64}$/.test(secret) ? bySecret.get({ secret }) : null,

    confirm: (tx: Transaction, { id }: StockAlert) =>
      void setConfirmed(tx, { confirmedAt: clock() }, { id }),
    remove: (tx: Transaction, { id }: StockAlert): void => void remove.run(tx, id),

    /** A batch of confirmed alerts whose variant can be bought, the longest waiting first. */
    due: (): StockAlert[] => due.all(),
    /** How many wait for a variant. */
    waiting: (variant: number): number => waiting.get({ variant })!.count,

    ofMailbox: (email: string): StockAlert[] => ofMailbox.all({ mailbox: mailboxOf(email) }),
    erase: (tx: Transaction, email: string): number =>
      removeMailbox.run(tx, mailboxOf(email)).changes,
    /** Forgets a batch that has waited too long. @returns how many */
    forget: (tx: Transaction): number =>
      forget.run(tx, {
        unconfirmed: clock() - unconfirmedDays * dayMs,
        waiting: clock() - waitingDays * dayMs,
      }).changes,
  }
}
