/** Most characters of a target and of a note. */
export const longestTarget = 2048
export const longestNote = 200

/** The names of UTM parameters, without `utm_`, and the most characters of a value. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const
export const longestUtm = 120

/** UTM values by name; names that are not there are not added. */
export type Utm = Partial<Record<(typeof utmNames)[number], string>>

/** What becomes of somebody who follows a link. */
export const linkStates = ['live', 'scheduled', 'expired', 'used-up', 'disabled'] as const

/** One of {@link linkStates}. */
export type LinkState = (typeof linkStates)[number]

/** What the state of a link follows from; times in milliseconds of the epoch. */
export type LinkLife = {
  startsAt: number | null
  expiresAt: number | null
  maxClicks: number | null
  disabledAt: number | null
  human: number
}

/** The state of a link at a moment. */
export function stateOf(
  { startsAt, expiresAt, maxClicks, disabledAt, human }: LinkLife,
  now: number,
): LinkState {
  if (disabledAt !== null) return 'disabled'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  if (startsAt !== null && startsAt > now) return 'scheduled'
  return maxClicks !== null && human >= maxClicks ? 'used-up' : 'live'
}
