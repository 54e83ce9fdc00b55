import sanitizeHtml from 'sanitize-html'

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/**
 * The words of some HTML, as the text part of a mail has them.
 * @param markup with a line break already where a line of the text ends
 */
export function wordsOf(markup: string): string {
  return sanitizeHtml(markup, { allowedTags: [], allowedAttributes: {} })
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => signs[name]!)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
