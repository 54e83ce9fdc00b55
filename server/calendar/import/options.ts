/** What an import takes for granted where a file does not say it. */
export type ImportOptions = {
  /** IANA name: the clock of times that name no zone, and of those in UTC. */
  zone: string | null
  /** The series of events without one. */
  series: string | null
  /** Milliseconds of the epoch; a series of dates without an end goes on until the end of next year. */
  now: number
}
