import { randomInt } from 'node:crypto'
import { minuteMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Order } from '../order.ts'

/** How long a code works. */
const codeMinutes = 15
/** Codes that may be tried for one order in the time of one. */
const maxTries = 5

/** Makes the codes that open orders. They are in memory alone, so a server that starts anew knows none. */
export function createOrderCodes({ clock }: { clock: () => number }) {
  const codes = new Map<string, { code: string; until: number; tries: number }>()

  return {
    /** A new code for an order; an earlier one opens nothing any more. */
    make({ number }: Order): string {
      for (const [other, { until }] of codes) if (until <= clock()) codes.delete(other)
      const [oldest] = codes.keys()
      if (codes.size >= 10_000 && oldest !== undefined) codes.delete(oldest)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      codes.set(number, { code, until: clock() + codeMinutes * minuteMs, tries: 0 })
      return code
    },

    /** Uses the code of an order up. @throws invalid for a wrong or old one; too-many */
    use({ number }: Order, typed: string): void {
      const known = codes.get(number)
      if (known) known.tries += 1
      if (known && known.tries > maxTries)
        throw failure('too-many', { retryAfter: 60 * codeMinutes })
      if (!known || known.until <= clock() || known.code !== typed.replaceAll(/\s/g, '')) {
        throw failure('invalid', { errors: { code: 'This code is wrong or has expired' } })
      }
      codes.delete(number)
    },
  }
}
