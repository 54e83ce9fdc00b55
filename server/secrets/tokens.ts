import type { Schema } from '#shared/endpoint.ts'
import type { Keys } from './secret-key.ts'

/** What a token says. */
export type ReadToken<Payload> = {
  payload: Payload
  /** Milliseconds of the epoch; null for one that never ends. */
  expiresAt: number | null
  expired: boolean
}

/** Tokens of one purpose: what they carry can be read by all and made only by us. */
export type SignedTokens<Payload> = {
  /**
   * Makes a token of [A-Za-z0-9_-]: the same one for the same payload and end.
   * @param expiresAt milliseconds of the epoch; null for a token that never ends
   */
  issue(payload: Payload, expiresAt: number | null): string
  /** What a token says, also when its time is over; null when it is not one of ours. */
  read(token: string): ReadToken<Payload> | null
}

/** Characters of a signature: 256 bits. */
const signatureLength = 43

/** Longer texts are not even looked at. */
const maxTokenLength = 2_000

/**
 * Makes the tokens of a purpose. Nothing is kept of them: a process with the secret key reads what any
 * process issued, and a token that must end early needs a row that says so.
 * @param purpose no two kinds of tokens share one, so none passes for another
 * @param schema of the payload, which is plain JSON
 */
export function createSignedTokens<Payload>({
  keys,
  clock,
  purpose,
  schema,
}: {
  keys: Keys
  clock: () => number
  purpose: string
  schema: Schema<Payload>
}): SignedTokens<Payload> {
  const name = `token:${purpose}`
  return {
    issue(payload, expiresAt) {
      const body = Buffer.from(JSON.stringify([expiresAt, payload])).toString('base64url')
      return keys.hash(name, body) + body
    },
    read(token) {
      if (token.length > maxTokenLength || !/^[\w-]+$/.test(token)) return null
      const body = token.slice(signatureLength)
      if (!keys.matches(name, body, token.slice(0, signatureLength))) return null
      // It was signed by us, so it parses; but an older version may have had another form.
      const [expiresAt, payload] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
        number | null,
        unknown,
      ]
      const parsed = schema.safeParse(payload)
      if (!parsed.success) return null
      const expired = expiresAt !== null && expiresAt <= clock()
      return { payload: parsed.data, expiresAt, expired }
    },
  }
}
