/**
 * A number with what it counts: “1 file”, “3 files”.
 * @param one what it's called in the singular
 */
export const counted = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`
