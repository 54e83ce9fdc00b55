/** What a visit can end in, beside the view that begins it. */
export const outcomes = ['enquiry', 'booking', 'order', 'subscription'] as const

/** One of {@link outcomes}. */
export type Outcome = (typeof outcomes)[number]

/** Max characters of a part of a campaign's name. */
export const maxPartLength = 40
/** Max characters of a host. */
export const maxHostLength = 100

/** Counts of what has no name of its own: not a public host, an odd name, or one too many in a day. */
export const otherName = 'other'

/** A campaign by its three `utm_` values; what wasn't said is empty. */
export type Campaign = { source: string; medium: string; campaign: string }

/** Endings of hosts that are not public (RFC 6761, RFC 6762, RFC 8375, RFC 9476), and usual ones of offices. */
const privateEnding =
  /\.(?:local|localhost|internal|intranet|lan|home|corp|private|arpa|alt|onion)$/

/**
 * A referrer's host as it is counted: lower case, without `www.`. What isn't a public host, such as an
 * address in numbers or the name of a machine, would tell of a network, and counts as other.
 */
export function countedHost(host: string): string {
  if (host === '') return ''
  const name = host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '')
  const labels = name.split('.')
  const isPublic =
    name.length <= maxHostLength &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    // The last one of an address in numbers is a number.
    /^[a-z]/.test(labels.at(-1)!) &&
    !privateEnding.test(name)
  return isPublic ? name : otherName
}

/**
 * A part of a campaign as it is counted: lower case, letters, digits and `. _ + -`. What looks like an
 * address or a number of one recipient counts as other, since it could name a person.
 */
export function countedPart(value: string): string {
  const name = value.normalize('NFC').trim().toLowerCase().replaceAll(/\s+/g, '-')
  if (name === '') return ''
  const isName = name.length <= maxPartLength && /^[\p{L}\p{M}\p{N}._+-]+$/u.test(name)
  return isName && !isIdentifier(name) ? name : otherName
}

/** Long runs of digits, and long words in which letters and digits change often, as in keys and hashes. */
const isIdentifier = (name: string): boolean =>
  /\d{9}/.test(name) ||
  name
    .split(/[._+-]/)
    .some((word) => word.length >= 12 && (word.match(/[a-z]\d|\d[a-z]/g) ?? []).length >= 3) ||
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}/.test(name)

/** A campaign as it is counted; null where none was named. */
export function countedCampaign({
  source = '',
  medium = '',
  campaign = '',
}: Partial<Record<keyof Campaign, string | undefined>>): Campaign | null {
  const named = {
    source: countedPart(source),
    medium: countedPart(medium),
    campaign: countedPart(campaign),
  }
  return Object.values(named).some(Boolean) ? named : null
}
