import type { Retention } from '#shared/legal/retention.ts'
import type { Transaction } from '../db/group-commit.ts'

/** What of a person cannot be erased. */
export type Kept = {
  count: number
  /** The law or the reason that demands it, for the person who asked. */
  why: string
  /** ISO date until which it is kept; null where it is not known yet. */
  until: string | null
}

/** What became of a person's data. */
export type Erasure = {
  /** Records that are gone, or no longer lead to the person. */
  erased: number
  kept?: Kept
  /** What goes that others rely on, a sentence each. */
  named?: readonly string[]
  /** What is done once the transaction is on disk, such as removing files; not where no place had anything. */
  afterwards?(): void | Promise<void>
}

/** A place where personal data is kept. */
export type PersonalData = {
  /** One word for reports, such as `tickets`. */
  name: string
  /** Lines of the table in the privacy policy; none where another place already says it. */
  policy: readonly Retention[]
  /**
   * What forgets it when its time is over: the kind of a job, or what else does it, in a few words.
   */
  forgottenBy: { job: string } | { by: string }
  /**
   * What is known of an address, as plain JSON for the person who asked.
   * @param email as typed; letter case does not count
   */
  find(email: string): readonly unknown[] | Promise<readonly unknown[]>
  /**
   * Erases what is known of an address. Runs in a transaction that a rehearsal rolls back, so it
   * touches nothing but the database; left out where nothing can be erased by address.
   */
  erase?(tx: Transaction, email: string): Erasure
  /**
   * Every address that it has, as spelt: staff hear of those that lead to the same mailbox. Left out
   * where {@link PersonalData.find} knows a mailbox by all of them, or has none.
   */
  addresses?(): readonly string[]
  /**
   * What to tell a person about data that is not erased by address, such as backups and logs.
   * @param emails the address, in every way in which we may have it
   */
  note?: string | ((emails: readonly string[]) => Promise<string>)
}
