import { ipKeyGenerator } from 'express-rate-limit'
import { hourMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'

/** Wrong secrets that an address may send before it has to wait; fewer while many come from everywhere. */
const freeTries = { usual: 8, pressed: 2 } as const
/** The first wait, which doubles with every further failure up to the longest, in milliseconds. */
const firstWait = 2000
const longestWait = 15 * 60_000
/** After this long without a failure an address starts anew. */
const forgetMs = hourMs
/** Failures in an hour, from all addresses, at which free attempts shrink. */
const pressedAt = 200
/** Addresses that are remembered; the one that failed longest ago leaves first. */
const mostAddresses = 20_000

type Record = { failures: number; at: number }

/**
 * Slows down those who guess secrets. Counts failures
 * by address (IPv6: by /56). An address that has not failed is never kept waiting, whatever others
 * do, so the owner of a right one cannot be locked out.
 * @param options `secrets` is what is guessed, in the plural; `alert` is told when there are `alertAt` failures within an hour, once an hour
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
    return at + Math.min(longestWait, firstWait * 2 ** Math.min(beyond, 30)) - clock()
  }

  return {
    /**
     * Begins an attempt, which counts as a failure until it is forgiven: attempts side by side
     * cannot slip through.
     * @returns forgives the attempt, since its secret was right
     * @throws too-many while the address has to wait
     */
    begin(address: string): () => void {
      const now = clock()
      recent = recent.filter((at) => at > now - hourMs)
      const key = ipKeyGenerator(address, 56)
      const known = addresses.get(key)
      const before = known && known.at > now - forgetMs ? known : { failures: 0, at: now }
      const wait = waitOf(before)
      if (wait > 0) throw tooMany(secrets, Math.ceil(wait / 1000))
      addresses.delete(key)
      addresses.set(key, { failures: before.failures + 1, at: now })
      if (addresses.size > mostAddresses) addresses.delete(addresses.keys().next().value!)
      return () => {
        const current = addresses.get(key)
        if (!current) return
        current.failures -= 1
        if (current.failures === 0) addresses.delete(key)
        // No other attempt came meanwhile: everything is as it was.
        if (current.failures === before.failures) current.at = before.at
      }
    },

    /** Writes down that an attempt has failed. */
    failed(): void {
      const now = clock()
      if (recent.length < pressedAt) recent.push(now)
      else recent = [...recent.slice(1), now]
      if (recent.length >= alertAt && now - alertedAt >= hourMs) {
        alertedAt = now
        alert(recent.length)
      }
    },
  }
}

function tooMany(secrets: string, seconds: number) {
  const minutes = Math.ceil(seconds / 60)
  const wait =
    seconds < 60 ? `${seconds} seconds` : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return failure('too-many', {
    message: `Too many wrong ${secrets}. Please wait ${wait} and try again.`,
    retryAfter: seconds,
  })
}
