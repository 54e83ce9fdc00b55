import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * The mailbox that an address leads to, in one spelling: providers ignore case and what follows a
 * plus sign, and Gmail ignores dots.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1).toLowerCase()
  const domain = host === 'googlemail.com' ? 'gmail.com' : host
  const [name = ''] = address.slice(0, Math.max(at, 0)).toLowerCase().split('+')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}

/** {@link mailboxOf}, with the domain as it is on the wire. */
export function wireMailboxOf(address: string): string {
  const folded = mailboxOf(address)
  const at = folded.lastIndexOf('@')
  return `${folded.slice(0, at)}@${domainToASCII(folded.slice(at + 1)) || folded.slice(at + 1)}`
}

/**
 * An address in every way in which we may have it: forms keep a domain of letters as punycode, and what was
 * kept before, or written down by staff, has the letters.
 */
export function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  // Neither knows what isn't a domain.
  const written = [domainToASCII(domain), domainToUnicode(domain)].filter(Boolean)
  const others = written.filter((other) => other !== domain.toLowerCase())
  return [address, ...others.map((other) => address.slice(0, at) + other)]
}
