/**
 * What a terminal or an editor obeys instead of showing: control characters but for the line break
 * and the tab, and what turns the direction of text round (Unicode TR9, and the separators of lines
 * and paragraphs).
 */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * A text from outside for a terminal: what a terminal would obey is there as an escape, such as
 * `\u001b`, so it is seen. Line breaks stay, tabs too.
 */
export const harmless = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(obeyed, escaped)

/**
 * A value as JSON that is safe to look at: the same value, with everything that a terminal obeys
 * as an escape.
 * @param indent spaces of a level; none for one line
 */
export const harmlessJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(obeyed, escaped)
