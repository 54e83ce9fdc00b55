/** Most characters of a target. */
export const longestTarget = 2048
/** Most characters of a note. */
export const longestNote = 200

/** The names of UTM parameters, without `utm_`. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const
/** Most characters of the value of one. */
export const longestUtm = 120

/** UTM values by name; names that are not there are not added. */
export type Utm = Partial<Record<(typeof utmNames)[number], string>>

/** What following a link does. */
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
