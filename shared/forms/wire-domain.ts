/** What browsers and Node have alike; it writes hosts in punycode. */
declare const URL: new (address: string) => { readonly hostname: string }

/** Max characters of a domain (RFC 1035, 2.3.4). */
const maxDomainLength = 253

/**
 * An address with its domain as it is on the wire: in punycode, where it has letters that ASCII lacks.
 * Some browsers send it so by themselves, others as it was typed.
 */
export function withWireDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  // Nothing else may be in it, which an address of the web would give a meaning.
  const isName = domain.length <= maxDomainLength && /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)
  if (at === 0 || !isName || /^\p{ASCII}*$/u.test(domain)) return address
  try {
    return address.slice(0, at) + new URL(`http://${domain}`).hostname
  } catch {
    return address
  }
}
