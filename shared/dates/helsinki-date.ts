const threeHours = 10_800_000

/**
 * The civil date in Helsinki. Its clocks have been two or three hours ahead of UTC since 1921, so only
 * in the hour from 21:00 UTC does the date hang on summer time, and only then is a format made.
 * @param at milliseconds of the epoch
 * @returns YYYY-MM-DD
 */
export function helsinkiDate(at: number): string {
  const hour = new Date(at).getUTCHours()
  return hour === 21
    ? new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Helsinki' }).format(at)
    : new Date(hour > 21 ? at + threeHours : at).toISOString().slice(0, 10)
}
