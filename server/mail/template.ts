import type { Brand, Mailbox, Message } from './message.ts'
import type { Mail } from './schema.ts'

/** A mail as a template gives it, or the reason why there is none to send. */
export type Rendered = { to: Mailbox; message: Message } | { skip: string }

/**
 * Writes one kind of mail. It runs when the mail is sent, in every attempt again, so it must give the
 * same for the same row. What it throws counts as a failed attempt.
 */
export type MailTemplate = {
  render(mail: Mail, brand: Brand): Rendered | Promise<Rendered>
  /**
   * Days for which the row of a mail is kept after it was sent; 90 where left out. `feature`: the
   * feature removes it together with what the mail is about.
   */
  keptDays?: number | 'feature'
  /** How the privacy policy names what is kept for longer, such as "reports for two years". */
  keptLonger?: string
}
