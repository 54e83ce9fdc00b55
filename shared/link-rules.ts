/** Max characters of a target. */
export const maxTargetLength = 2048
/** Max characters of a note. */
export const maxNoteLength = 200

/** Most tags of a link, and most characters of one. */
export const maxTags = 10
export const maxTagLength = 30

/** Tags as they are kept: lower case, each once. @param given as typed, such as between commas */
export const normalTags = (given: readonly string[]): string[] => [
  ...new Set(
    given
      .map((tag) => tag.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase())
      .filter((tag) => tag !== ''),
  ),
]

/** What is wrong with tags, or null. */
export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > maxTags) return `At most ${maxTags} tags.`
  const isWrong = (tag: string) =>
    tag.length > maxTagLength || !/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u.test(tag)
  return tags.some(isWrong)
    ? `A tag has up to ${maxTagLength} letters, digits, spaces and . _ -`
    : null
}

/** Max characters of a password. */
export const maxLinkPasswordLength = 200

/** Checks in a row that a target fails before it counts as dead: one may be a bad moment. */
export const deadAfter = 2

/** The names of UTM parameters, without `utm_`. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const
/** Max characters of the value of one. */
export const maxUtmLength = 120

/** UTM values by name; names that are not there are not added. */
export type Utm = Partial<Record<(typeof utmNames)[number], string>>

/** What following a link does. */
export const linkStates = ['live', 'scheduled', 'expired', 'used-up', 'disabled'] as const

/** One of {@link linkStates}. */
export type LinkState = (typeof linkStates)[number]

/** What a list of links can be narrowed to: a state, or live links whose target is dead. */
export const linkFilters = [...linkStates, 'dead'] as const

/** One of {@link linkFilters}. */
export type LinkFilter = (typeof linkFilters)[number]

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
