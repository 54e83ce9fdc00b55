/** A number of bytes as people read it, such as 4.2 MB (millions); the same on every machine. */
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
