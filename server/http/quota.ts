/** Counts something by keys, such as networks, in windows of time. */
export type Quota = {
  /**
   * Counts one more.
   * @returns 0 when it is within the quota, else the seconds until the next window
   */
  take(key: string | number): number
}

/** Keys that are remembered; the one whose window began first leaves first. */
const mostKeys = 20_000

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
  const windows = new Map<string | number, { since: number; count: number }>()
  return {
    take(key) {
      const now = clock()
      const known = windows.get(key)
      const left = known ? known.since + seconds * 1000 - now : 0
      if (!known || left <= 0) {
        windows.delete(key)
        windows.set(key, { since: now, count: 1 })
        if (windows.size > mostKeys) windows.delete(windows.keys().next().value!)
        return 0
      }
      if (known.count >= most) return Math.ceil(left / 1000)
      known.count += 1
      return 0
    },
  }
}
