import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { batchSize } from '../../db/in-batches.ts'
import { query, text } from '../../db/table.ts'
import { failure } from '#shared/failures.ts'
import type { Platform } from '../../feature.ts'
import { creditAccounts } from '../schema.ts'

/** Months without an order after which a company has to be allowed to pay later again. */
export const accountMonths = 24

/** Companies that can pay after delivery; the only place with their SQL. */
export type CreditAccounts = ReturnType<typeof createCreditAccounts>

/**
 * Creates the store of companies that can pay within 14 days of their invoice. Consumers pay before
 * delivery, always (docs/decisions/0068-offering-to-consumers.md).
 */
export function createCreditAccounts(
  db: Database,
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
) {
  const insert = creditAccounts.insert(
    db,
    `ON CONFLICT (email) DO UPDATE SET company = excluded.company,
       allowed_at = excluded.allowed_at, allowed_by = excluded.allowed_by`,
  )
  const remove = db.prepareWrite('DELETE FROM credit_accounts WHERE email = ?')
  const byEmail = creditAccounts.select(db, 'WHERE email = :email')
  const list = creditAccounts.select(db, 'ORDER BY company, email')
  const idle = creditAccounts.select(
    db,
    `WHERE allowed_at < :before AND NOT EXISTS (SELECT 1 FROM orders
       WHERE orders.email = credit_accounts.email COLLATE NOCASE AND placed_at >= :before)
     LIMIT ${batchSize}`,
  )
  const past = query(
    db,
    `SELECT thing_id AS email FROM timeline
     WHERE thing = :thing AND thing_id NOT IN (SELECT email FROM credit_accounts)
     GROUP BY thing_id HAVING max(at) < :before LIMIT ${batchSize}`,
    { email: text() },
  )
  /** As the timeline knows one. */
  const thing = 'credit-account'

  return {
    /** Whether orders of a mailbox can be delivered before payment. */
    has: (email: string): boolean => byEmail.get({ email }) !== null,
    list: () => list.all(),
    /** Erases the entry of a mailbox with its history. Call inside a transaction. @returns 1 if there was any */
    erase(tx: Transaction, email: string): number {
      const { changes } = remove.run(tx, email)
      const isKnown = timeline.of(thing, email.toLowerCase()).length > 0
      timeline.forget(tx, thing, [email.toLowerCase()])
      return isKnown ? 1 : changes
    },

    /** Forgets a batch of those that were allowed and ordered last before a day, and of what was ended before it. Call inside a transaction. @returns how many */
    forgetIdle(tx: Transaction, before: number): number {
      for (const { email } of idle.all({ before })) remove.run(tx, email)
      const ended = past.all({ thing, before }).map(({ email }) => email)
      timeline.forget(tx, thing, ended)
      return ended.length
    },

    /** Approves a company for payment after delivery, by its ordering mailbox. */
    allow: (email: string, company: string, actor: string): Promise<void> =>
      commit((tx) => {
        insert(tx, { email: email.toLowerCase(), company, allowedAt: clock(), allowedBy: actor })
        timeline.record(tx, {
          thing,
          thingId: email.toLowerCase(),
          actor,
          act: 'allowed',
          note: company,
        })
      }),

    /** Revokes that; existing orders stay as they are. @throws missing */
    disallow: (email: string, actor: string): Promise<void> =>
      commit((tx) => {
        if (remove.run(tx, email).changes === 0) {
          throw failure('missing', { message: `${email} pays before delivery as it is.` })
        }
        timeline.record(tx, {
          thing,
          thingId: email.toLowerCase(),
          actor,
          act: 'disallowed',
        })
      }),
  }
}
