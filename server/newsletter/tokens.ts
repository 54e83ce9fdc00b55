import { dayMs } from '#shared/dates/durations.ts'
import type { Keys } from '../secrets/secret-key.ts'
import type { Subscriber } from './schema.ts'

/** Milliseconds for which a confirmation link works. */
const tokenMs = 7 * dayMs

/** What a confirmation link says; links of earlier versions name no secret and say nothing. */
export type Confirmation = { secret: string; round: number; expired: boolean }

/** Creates and reads the links of confirmation emails; they aren't stored. */
export type ConfirmationTokens = ReturnType<typeof createConfirmationTokens>

/** The subject of an email by which a mail program unsubscribes; the token is all it needs. */
export const leavingSubject = (leaveToken: string): string => `unsubscribe ${leaveToken}`

/** The token in the subject of such an email, or null. */
export const tokenOfSubject = (subject: string): string | null =>
  /^\s*unsubscribe\s+([\w-]{22,64})\s*$/i.exec(subject)?.[1] ?? null

/** Every process with the same key reads what another handed out. */
export function createConfirmationTokens({ keys, clock }: { keys: Keys; clock: () => number }) {
  return {
    /** A token that is good for seven days from a time on, as often as it is used. */
    issue({ secret, round }: Pick<Subscriber, 'secret' | 'round'>, from: number): string {
      const payload = [secret, round.toString(36), (from + tokenMs).toString(36)].join('.')
      return `${payload}.${keys.hash('newsletter-confirm', payload)}`
    },

    /** What a token says; null when it is not ours. */
    read(token: string): Confirmation | null {
      const end = token.lastIndexOf('.')
      const payload = token.slice(0, Math.max(end, 0))
      const parts = /^([\w-]{22,32})\.([\da-z]{1,12})\.([\da-z]{1,12})$/.exec(payload)
      if (!parts) return null
      if (!keys.matches('newsletter-confirm', payload, token.slice(end + 1))) return null
      const [, secret = '', round = '', expires = ''] = parts
      return {
        secret,
        round: Number.parseInt(round, 36),
        expired: Number.parseInt(expires, 36) <= clock(),
      }
    },
  }
}
