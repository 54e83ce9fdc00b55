import type { ContactRecord } from '#shared/contact.ts'

/** The score from which a message without a form proof goes into quarantine. */
export const suspiciousScore = 2

/** Addresses of the web, and the markup that robots put around them. */
const links = /https?:\/\/|\bwww\.|\[url\b|<a\s/gi

const count = (text: string) => text.match(links)?.length ?? 0

/**
 * How much a message looks like advertising: one for each link in its text, two for each link where
 * people write none.
 */
export const spamScore = ({ Name, Subject, Message }: ContactRecord): number =>
  count(Message) + 2 * count(Subject) + 2 * count(Name)
