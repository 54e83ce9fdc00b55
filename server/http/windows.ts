/** Counts by keys, such as networks, in windows of time that begin with the first count. */
export type Windows = {
  /** Counts one more. @returns how many there are in the window, and when it ends */
  add(key: string | number): { count: number; endsAt: number }
  /** Takes one back. */
  subtract(key: string | number): void
  forget(key: string | number): void
}

/** Keys that are remembered; beyond, the one whose window began first is forgotten. */
const mostKeys = 20_000

/** Makes the counters, in memory that is bounded. @param options `ms` is the length of a window */
export function createWindows({ ms, clock }: { ms: number; clock: () => number }): Windows {
  const windows = new Map<string | number, { count: number; endsAt: number }>()
  return {
    add(key) {
      const now = clock()
      let window = windows.get(key)
      if (!window || window.endsAt <= now) {
        windows.delete(key)
        window = { count: 0, endsAt: now + ms }
        windows.set(key, window)
        const [oldest] = windows.keys()
        if (windows.size > mostKeys && oldest !== undefined) windows.delete(oldest)
      }
      window.count += 1
      return { ...window }
    },
    subtract(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
    forget: (key) => void windows.delete(key),
  }
}
