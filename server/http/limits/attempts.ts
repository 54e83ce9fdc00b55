import { ipKeyGenerator } from 'express-rate-limit'
import { counted } from '#shared/text/counted.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'

/** Wrong secrets per address before it has to wait; fewer during an attack from many addresses. */
const freeTries = { usual: 8, pressed: 2 } as const
/** The wait in milliseconds doubles with every failure, from the first to the longest. */
const firstWait = 2000
const maxWriteWaitMs = 15 * 60_000
/** An address starts over after this long without a failure. */
const forgetMs = hourMs
/** Failures per hour, from all addresses, from which fewer attempts are free. */
const pressedAt = 200
/** Addresses remembered; the oldest failure is forgotten first. */
const maxAddresses = 20_000

type Record = { failures: number; at: number }

/**
 * Slows down guessing of secrets by counting failures per address (IPv6: per /56). An address that
 * hasn't failed never waits, whatever others do, so no one can lock out the owner of a valid secret.
 * @param options `secrets` names what is guessed, in the plural; `alert` is called at `alertAt`
 *   failures within an hour, at most once an hour
 */
export function createAttempts({
  secrets,
  clock,
  alert,
  alertAt = 50,
}: {
  secrets: string
  clock: () => number
  alert(failuresInAnHour: number): void
  alertAt?: number
}) {
  const addresses = new Map<string, Record>()
  let recent: number[] = []
  let alertedAt = -Infinity

  const waitOf = ({ failures, at }: Record): number => {
    const beyond = failures - (recent.length >= pressedAt ? freeTries.pressed : freeTries.usual)
    if (beyond < 0) return 0
    return at + Math.min(maxWriteWaitMs, firstWait * 2 ** Math.min(beyond, 30)) - clock()
  }

  return {
    /**
     * Starts an attempt. It counts as a failure until forgiven, so concurrent attempts can't
     * slip through.
     * @returns forgives the attempt: its secret was right
     * @throws too-many while the address has to wait
     */
    begin(address: string): () => void {
      const now = clock()
      // What a clock that was ahead has put in the future would count until then, which may be years.
      recent = recent.map((at) => Math.min(at, now)).filter((at) => at > now - hourMs)
      const key = ipKeyGenerator(address, 56)
      const known = addresses.get(key)
      if (known) known.at = Math.min(known.at, now)
      const before = known && known.at > now - forgetMs ? known : { failures: 0, at: now }
      const wait = waitOf(before)
      if (wait > 0) throw tooMany(secrets, Math.ceil(wait / 1000))
      addresses.delete(key)
      addresses.set(key, { failures: before.failures + 1, at: now })
      if (addresses.size > maxAddresses) addresses.delete(addresses.keys().next().value!)
      return () => {
        const current = addresses.get(key)
        if (!current) return
        current.failures -= 1
        if (current.failures === 0) addresses.delete(key)
        // No other attempt in between: restore the previous state.
        if (current.failures === before.failures) current.at = before.at
      }
    },

    /** Records a failed attempt. */
    failed(): void {
      const now = clock()
      if (recent.length < pressedAt) recent.push(now)
      else recent = [...recent.slice(1), now]
      if (recent.length >= alertAt && (alertedAt > now || now - alertedAt >= hourMs)) {
        alertedAt = now
        alert(recent.length)
      }
    },
  }
}

function tooMany(secrets: string, seconds: number) {
  const minutes = Math.ceil(seconds / 60)
  const wait = seconds < 60 ? counted(seconds, 'second') : counted(minutes, 'minute')
  return failure('too-many', {
    message: `Too many wrong ${secrets}. Please wait ${wait} and try again.`,
    retryAfter: seconds,
  })
}
