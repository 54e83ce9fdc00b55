const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  auml: 'ä',
  ouml: 'ö',
  aring: 'å',
  uuml: 'ü',
  eacute: 'é',
  Auml: 'Ä',
  Ouml: 'Ö',
  Aring: 'Å',
}

/** Elements whose text is never shown; pages leave them out too. */
const unseen =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|iframe|object|embed|template|noscript|textarea|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)/gi

/** Tags inside a word do not end it. */
const inline = /<\/?(?:a|abbr|b|code|del|em|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)\b[^>]*>/gi

/** Ends of what has no full stop, such as a heading or a cell. */
const ends = /<\/(?:h[1-6]|li|dt|dd|td|th|caption|figcaption)\s*>/gi

/**
 * The words of rich text as they are read: no tags, entities decoded, one space between words.
 * The result is plain text; whoever shows it escapes it.
 */
export function plainText(html: string): string {
  return tidy(
    html
      .replaceAll(unseen, ' ')
      .replaceAll(inline, '')
      .replaceAll(ends, ' · ')
      .replaceAll(/<[a-z/!?][^>]*(?:>|$)/gi, ' ')
      .replaceAll(/ ·[\s·]*/g, ' · ')
      .replace(/ · $/, '')
      .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, decoded),
  )
}

/** One space between words, composed letters, no control characters. */
export const tidy = (text: string): string =>
  text
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .normalize('NFC')

function decoded(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return named[name] ?? entity
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}
