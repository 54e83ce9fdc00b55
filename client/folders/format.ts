/** A number of bytes as people read it, such as 4.2 MB; the same on every machine. */
export function bytesText(bytes: number): string {
  const units = ['byte', 'kB', 'MB', 'GB', 'TB'] as const
  let [value, unit] = [bytes, 0]
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1
  const name = unit === 0 && bytes !== 1 ? 'bytes' : units[unit]
  return `${value.toFixed(digits)} ${name}`
}

/** A count with its noun: 1 file, 2 files. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`

/** The ending of a file's name, as a mark for files without a picture. */
export const endingOf = (name: string) => /\.([^.]{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
