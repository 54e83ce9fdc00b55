const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y

/** What may come next, by what has come. */
const afterOpening = { '{': 'key or }', '[': 'value or ]' } as const

/**
 * Where a text stops being JSON, since the engine's own error often does not say. Lines and
 * columns count from 1; the end of the text where only something is missing.
 */
export function brokenAt(source: string): { line: number; column: number } {
  const stack: ('{' | '[')[] = []
  let expected: string = 'value'
  let at = 0
  for (;;) {
    token.lastIndex = at
    const [found, mark, text, literal] = token.exec(source) ?? []
    const next = found === undefined ? null : step(mark, text, literal)
    if (found === undefined || next === null) break
    expected = next
    at += found.length
  }
  const blank = source.slice(at).match(/^[ \t\r\n]*/)?.[0].length ?? 0
  const lines = source.slice(0, at + blank).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }

  /** What is expected after a token; null where it may not stand. */
  function step(mark?: string, text?: string, literal?: string): string | null {
    const closing = mark === '}' || mark === ']'
    if (closing && (expected.endsWith(mark) || (expected === ', or end' && fits(mark)))) {
      stack.pop()
      return afterValue()
    }
    if (text !== undefined && expected.startsWith('key')) return ':'
    if (mark === ':' && expected === ':') return 'value'
    if (mark === ',' && expected === ', or end') return stack.at(-1) === '{' ? 'key' : 'value'
    if (!expected.startsWith('value')) return null
    if (mark === '{' || mark === '[') {
      stack.push(mark)
      return afterOpening[mark]
    }
    return text !== undefined || literal !== undefined ? afterValue() : null
  }

  function fits(mark: string): boolean {
    return stack.at(-1) === (mark === '}' ? '{' : '[')
  }

  function afterValue(): string {
    return stack.length > 0 ? ', or end' : 'nothing'
  }
}
