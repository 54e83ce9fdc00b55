import { randomHex } from '../random-hex.ts'

const name = 'X-CSRF-TOKEN'
const seconds = 86_400

/** The security token of this browser, made when there is none: 32 hex characters. */
export function securityToken(): string {
  const known = new RegExp(`(?:^|; )${name}=([0-9a-f]{32})(?:;|$)`).exec(document.cookie)?.[1]
  if (known) return known
  const token = randomHex()
  const secure = location.protocol === 'https:'
  // In another site's frame browsers keep only a cookie that is bound to that site.
  const site = secure && window.top !== window.self ? 'None; Partitioned' : 'Lax'
  document.cookie = `${name}=${token}; Max-Age=${seconds}; Path=/; SameSite=${site}${secure ? '; Secure' : ''}`
  return token
}

/** The headers of a call that changes something. */
export const tokenHeaders = (): Record<string, string> => ({ [name]: securityToken() })
