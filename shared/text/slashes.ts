/** A text without the slashes at its ends. */
export function withoutOuterSlashes(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && text[start] === '/') start += 1
  while (end > start && text[end - 1] === '/') end -= 1
  return text.slice(start, end)
}
