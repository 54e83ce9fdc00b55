/**
 * What stands behind these opens something by itself: a folder, a panel's file, a subscription, a
 * booking, an order, a download, a selection. Of that segment the log keeps four characters.
 * Addresses may be written in either case.
 */
const opening =
  /\/(s|panel|api\/folders|zip|subscription\/[a-z]{1,20}|booking(?:\/(?:staff|feed))?|api\/bookings\/by-(?:staff-)?link|shop\/(?:orders|downloads))\/([^/\s"'\\?#]{1,4})[^/\s"'\\?#]*/gi

/** A run of characters long enough for a random key; see {@link isRandom}. */
const run = /[\w-]{20,}/g

/** Words of an address are not written in capitals, small letters and digits at once. */
const isRandom = (text: string) => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)

/** Names of built files have a random part that is no secret. */
const isBuilt = (path: string) => path.startsWith('/assets/')

/** Whatever the address around it, a random key is not written down. */
const withoutKeys = (text: string): string =>
  text.replaceAll(run, (found) => (isRandom(found) ? `${found.slice(0, 4)}…` : found))

/** A text with addresses in it, without what opens something. */
export const withoutOpenings = (text: string): string => text.replaceAll(opening, '/$1/$2…')

/** A path without what opens something, and without random keys. Names of built files stay whole. */
export const withoutPrivateParts = (path: string): string =>
  isBuilt(path) ? path : withoutKeys(withoutOpenings(path))
