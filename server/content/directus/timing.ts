/** Timing of requests to the content service, in milliseconds. */
export type Timing = {
  /** How long an answer is fresh. */
  fresh: number
  /** How long a reader without a snapshot waits. */
  timeout: number
  /** The same while the service is down or slow. */
  failingTimeout: number
  /** How long a collection has to stay without rows before its last ones go. */
  emptyFor: number
  /** Longest pause between retries. */
  pause: number
  /** Interval of the refresh timer. */
  tick: number
  /** How long missing fields aren't asked for again. */
  relearn: number
  /** How long a page waits for settings before it uses those of the files. */
  settings: number
}

export const defaultTiming: Timing = {
  fresh: 20_000,
  timeout: 6_000,
  failingTimeout: 1_000,
  emptyFor: 14_000,
  pause: 20_000,
  tick: 1_000,
  relearn: 60_000,
  settings: 1_500,
}
