const blocks = '▁▂▃▄▅▆▇█'

/** Numbers as a small chart of text, as high as the largest of them; a gap where there is nothing. */
export function sparkline(numbers: readonly number[]): string {
  const max = Math.max(1, ...numbers)
  return numbers
    .map((each) => (each === 0 ? ' ' : blocks[Math.ceil((each / max) * blocks.length) - 1]!))
    .join('')
}
