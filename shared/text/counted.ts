/**
 * A number with what it counts: “1 file”, “3 files”.
 * @param one what it's called in the singular
 */
export const counted = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`

/**
 * A whole number with its thousands apart: “1,234”. `toLocaleString` does the same, but its first call
 * holds a phone that has just got a page for a tenth of a second.
 */
export const grouped = (count: number): string => inThousands(String(count))

/** Digits with their thousands apart. */
export function inThousands(digits: string): string {
  const thousands: string[] = []
  for (let end = digits.length; end > 0; end -= 3) {
    thousands.unshift(digits.slice(Math.max(0, end - 3), end))
  }
  return thousands.join(',')
}
