/** A reply with another text at its end, a paragraph apart. */
export const withText = (reply: string, text: string): string =>
  reply.trim() === '' ? text : `${reply.trimEnd()}\n\n${text}`
