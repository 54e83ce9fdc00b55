import { createWindows } from './windows.ts'

/** Counts something by keys, such as networks, in windows of time. */
export type Quota = {
  /**
   * Counts one more.
   * @returns 0 when it is within the quota, else the seconds until the next window
   */
  take(key: string | number): number
}

/**
 * Makes a quota.
 * @param options `most` in so many `seconds` from the first one on
 */
export function createQuota({
  most,
  seconds,
  clock,
}: {
  most: number
  seconds: number
  clock: () => number
}): Quota {
  const windows = createWindows({ ms: seconds * 1000, clock })
  return {
    take(key) {
      const { count, endsAt } = windows.add(key)
      return count > most ? Math.ceil((endsAt - clock()) / 1000) : 0
    },
  }
}
