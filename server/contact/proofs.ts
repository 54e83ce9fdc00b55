import { randomBytes, randomInt } from 'node:crypto'
import { type FormProof } from '#shared/contact.ts'
import { contactLimits } from '#shared/contact-texts.ts'
import type { Keys } from '../secret-key.ts'

/** Milliseconds for which a proof can be used: a form may stay open over a working day. */
const lifetime = 12 * 3_600_000

/** A proof that is ours and has not expired. */
type Proof = { id: string; expiresAt: number }

/** Hands out sums with a signed proof that we did, and reads the proofs that come back (design 1.4). */
export type Proofs = {
  /** A new sum; nothing is kept until it is used. */
  issue(): FormProof
  /** The proof in a token, or null when it is not ours or too old. */
  read(token: string | null): Proof | null
}

/** Makes the proofs of a site; every process with the same key reads what another handed out. */
export function createProofs({ keys, clock }: { keys: Keys; clock: () => number }): Proofs {
  return {
    issue() {
      const expiresAt = clock() + lifetime
      const payload = `${randomBytes(9).toString('base64url')}.${expiresAt.toString(36)}`
      return {
        x: randomInt(1, contactLimits.operandMost + 1),
        y: randomInt(1, contactLimits.operandMost + 1),
        proof: `${payload}.${keys.hash('form-proof', payload)}`,
        expiresAt: new Date(expiresAt).toISOString(),
      }
    },
    read(token) {
      const parts = token && token.length <= 200 ? token.split('.') : []
      const [id, expires, signature] = parts
      if (parts.length !== 3 || !id || !expires || !signature) return null
      if (!keys.matches('form-proof', `${id}.${expires}`, signature)) return null
      const expiresAt = Number.parseInt(expires, 36)
      return expiresAt > clock() ? { id, expiresAt } : null
    },
  }
}
