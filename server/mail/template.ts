import type { Brand, Mailbox, Message } from './message.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Mail } from './schema.ts'

/** An email as a template gives it, or the reason why there is none to send. */
export type Rendered = { to: Mailbox; message: Message } | { skip: string }

/**
 * Writes one kind of email. It runs when the email is sent, in every attempt again, so it must give the
 * same for the same row. What it throws counts as a failed attempt.
 */
export type MailTemplate = {
  render(mail: Mail, brand: Brand): Rendered | Promise<Rendered>
  /**
   * Called in the transaction that notes that no email reaches its recipient: the mail server refused
   * the address for good, or gave the email back later.
   * @param reply what that server said
   */
  undeliverable?(tx: Transaction, mail: Mail, reply: string): void
  /**
   * Days for which the row of an email is kept after it was sent; 90 where left out. `feature`: the
   * feature removes it together with what the email is about.
   */
  keptDays?: number | 'feature'
  /**
   * Whether it lists things of others as they are when it's sent, so that the file it became goes
   * whenever a person is erased.
   */
  listsOthers?: boolean
  /** How the privacy policy names what is kept for longer, such as "reports for two years". */
  keptLonger?: string
}
