import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** AES-256-GCM with a nonce of its own for each text (NIST SP 800-38D). */
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The key of a purpose (HKDF, RFC 5869), so that no other use of the secret shares it. */
const keyOf = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', `seal:${purpose}`, 32))

/** Encrypts a text; the same one is another text each time. @returns [A-Za-z0-9_-] */
export function sealWith(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyOf(secret, purpose), nonce)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')
}

/** What {@link sealWith} encrypted; null for another key or purpose, or a text that was changed. */
export function unsealWith(secret: string, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return null
  const opening = createDecipheriv(cipher, keyOf(secret, purpose), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const body = opening.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([body, opening.final()]).toString('utf8')
  } catch {
    return null
  }
}
