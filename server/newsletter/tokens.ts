import { dayMs } from '#shared/durations.ts'
import type { Keys } from '../secret-key.ts'
import type { Subscriber } from './subscriber.ts'

/** Milliseconds for which a confirmation link works. */
const tokenMs = 7 * dayMs

/** What a confirmation link says. */
export type Confirmation = { id: number; round: number; expired: boolean }

/** Makes and reads the links of confirmation mails; nothing is kept of them. */
export type ConfirmationTokens = ReturnType<typeof createConfirmationTokens>

/** Every process with the same key reads what another handed out. */
export function createConfirmationTokens({ keys, clock }: { keys: Keys; clock: () => number }) {
  return {
    /** A token that is good for seven days from a time on, as often as it is used. */
    issue({ id, round }: Pick<Subscriber, 'id' | 'round'>, from: number): string {
      const payload = [id, round, from + tokenMs].map((part) => part.toString(36)).join('.')
      return `${payload}.${keys.hash('newsletter-confirm', payload)}`
    },

    /** What a token says; null when it is not ours. */
    read(token: string): Confirmation | null {
      const end = token.lastIndexOf('.')
      const payload = token.slice(0, Math.max(end, 0))
      if (!/^[\da-z]{1,12}\.[\da-z]{1,12}\.[\da-z]{1,12}$/.test(payload)) return null
      if (!keys.matches('newsletter-confirm', payload, token.slice(end + 1))) return null
      const [id, round, expires] = payload.split('.').map((part) => Number.parseInt(part, 36))
      return { id: id!, round: round!, expired: expires! <= clock() }
    },
  }
}
