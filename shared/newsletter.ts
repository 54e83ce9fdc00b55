import { withWireDomain } from './forms/wire-domain.ts'
import { oneLine } from './text/text.ts'

/** What the footer form says (docs/contract.md, Newsletter), word for word. */
export const newsletterMessages = {
  invalid: 'Please enter a valid email address',
  thanks: 'Thank you for subscribing!',
  unexpected: 'An unexpected error occurred',
} as const

/** The list of our own service where NEWSLETTER_LIST names none. */
export const ownList = 'newsletter'

/** Max characters of an address and of a name. */
export const newsletterLimits = { email: 254, name: 100 } as const

/**
 * The simple pattern of the form: text, @, text, a dot, text, and no space in it. Found by position,
 * since a pattern of repetitions would try every way to divide a long text.
 */
export function looksLikeEmail(text: string): boolean {
  if (text.length > newsletterLimits.email || /\s/.test(text)) return false
  const at = text.indexOf('@', 1)
  const dot = text.lastIndexOf('.', text.length - 2)
  return at > 0 && dot > at + 1
}

/**
 * An address as someone typed or copied it, in the one spelling in which it's kept. Web pages and office
 * programs leave invisible marks in it, such as a soft hyphen, which would make it another address that
 * no one reads. An internationalised domain becomes punycode, as in every other form. The database
 * ignores the case of ASCII alone, so other letters are put in lower case here.
 */
export function typedAddress(text: string): string {
  const address = withWireDomain(oneLine(text.replaceAll(/\p{Cf}/gu, '').normalize('NFC')))
  return /[^\p{ASCII}]/u.test(address) ? address.toLowerCase() : address
}

/**
 * Whether email can be addressed to it: the simple pattern, one @, and nothing in it that means
 * something else in an email header.
 */
export const isMailable = (text: string) =>
  looksLikeEmail(text) &&
  text.indexOf('@') === text.lastIndexOf('@') &&
  !/[<>()[\]\\,;:"\u0000-\u001f\u007f]/.test(text)

/**
 * What people agree to by confirming. A change of its meaning needs a new version, which is kept
 * with every subscription as its proof.
 */
export const newsletterPolicy = {
  version: '2026-11',
  text: 'When there’s a story worth sending, twice a month at most. Unsubscribe any time.',
} as const

/** The addresses of our own list service. */
export const newsletterPaths = {
  form: () => '/subscription/form',
  confirm: (token: string) => `/subscription/confirm/${token}`,
  again: (token: string) => `/subscription/again/${token}`,
  leave: (token: string) => `/subscription/leave/${token}`,
} as const

/** What becomes of an address on the list. */
export const subscriberStatuses = ['pending', 'subscribed', 'unsubscribed', 'blocked'] as const

/** One of {@link subscriberStatuses}. */
export type SubscriberStatus = (typeof subscriberStatuses)[number]
