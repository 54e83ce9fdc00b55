/** Tags of a text; the longest articles have two thousand. */
const maxTags = 20_000

/**
 * HTML up to its first twenty thousand tags. Parsers take the square of their number where they
 * stand inside each other, which no article needs.
 */
export function limitTags(html: string): string {
  let at = -1
  for (let count = 0; count < maxTags; count += 1) {
    at = html.indexOf('<', at + 1)
    if (at < 0) return html
  }
  return html.slice(0, at)
}
