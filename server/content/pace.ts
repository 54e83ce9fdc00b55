/** How often and how long the content service is asked; milliseconds. */
export type Pace = {
  /** How long an answer counts as fresh. */
  fresh: number
  /** The most that a reader without a snapshot waits. */
  timeout: number
  /** The same while the service is known to be down or slow. */
  failingTimeout: number
  /** The longest pause between tries while it is down. */
  pause: number
  /** How often the clock looks for what is due. */
  tick: number
  /** How long fields that were missing count as missing. */
  relearn: number
}

/** The pace of a site. */
export const usualPace: Pace = {
  fresh: 20_000,
  timeout: 6_000,
  failingTimeout: 1_000,
  pause: 20_000,
  tick: 1_000,
  relearn: 60_000,
}
