/**
 * An email address in free text, whatever its letter case, and no part of a longer one:
 * `ia@example.com` is neither in `maria@example.com` nor in `ia@example.com.au`. Kept JSON is searched,
 * too, where a line break before the address is the letter of an escape.
 */
function mentionOf(address: string): RegExp {
  const before = String.raw`(?:(?<=\\[bfnrt])|(?<![\p{L}\p{N}_]|[\p{L}\p{N}_][.+'&-]))`
  const after = String.raw`(?![\p{L}\p{N}_]|[.-]+[\p{L}\p{N}])`
  return new RegExp(`${before}${RegExp.escape(address)}${after}`, 'giu')
}

/** Whether a text names an email address. */
export const mentions = (text: string, address: string): boolean =>
  // Most texts have nothing like it.
  text.toLowerCase().includes(address.toLowerCase()) && mentionOf(address).test(text)

/** A text without an email address. */
export const withoutMentions = (text: string, address: string): string =>
  text.replaceAll(mentionOf(address), '[erased]')

/** Whether an address of a page names an email address, whose @ may be escaped there. */
export const urlMentions = (url: string, address: string): boolean =>
  mentions(url.replaceAll('%40', '@'), address)
