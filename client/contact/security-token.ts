const name = 'X-CSRF-TOKEN'
const seconds = 86_400

/** The security token of this browser, made when there is none: 32 hex characters. */
export function securityToken(): string {
  const known = new RegExp(`(?:^|; )${name}=([0-9a-f]{32})(?:;|$)`).exec(document.cookie)?.[1]
  if (known) return known
  const token = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${token}; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`
  return token
}

/** The headers of a call that changes something. */
export const tokenHeaders = (): Record<string, string> => ({ [name]: securityToken() })
