/** Domains of throw-away and reserved mailboxes; no confirmation is sent there. */
const blocked: ReadonlySet<string> = new Set([
  '10minutemail.com',
  'dispostable.com',
  'fakeinbox.com',
  'getnada.com',
  'grr.la',
  'guerrillamail.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'moakt.com',
  'sharklasers.com',
  'temp-mail.org',
  'tempmail.dev',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
])

/** Whether an address, or the domain above it, is blocked. */
export function isBlockedDomain(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const parent = domain.split('.').slice(-2).join('.')
  return blocked.has(domain) || blocked.has(parent)
}
