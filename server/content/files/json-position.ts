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

/**
 * The line on which a value of a JSON text begins, or its key where it has one, counted from 1.
 * @param path keys and indexes that lead to the value; as far as they are there
 */
export function lineOf(source: string, path: readonly PropertyKey[]): number {
  const wanted = path.map(String)
  /** What encloses the next token, with the name that it has there. */
  const names: string[] = []
  const stack: ('{' | '[')[] = []
  let best = 0
  let depth = -1
  let isKey = false
  let at = 0
  const reached = (begin: number) => {
    const length = names.length
    if (length > wanted.length || length <= depth) return
    if (names.some((name, index) => name !== wanted[index])) return
    depth = length
    best = begin
  }
  for (;;) {
    token.lastIndex = at
    const [found, mark, text] = token.exec(source) ?? []
    if (found === undefined) break
    const begin = at + found.length - found.trimStart().length
    at += found.length
    const inObject = stack.at(-1) === '{'
    if (isKey && text !== undefined) {
      names.push(JSON.parse(text) as string)
      reached(begin)
      isKey = false
    } else if (mark === ',') {
      const last = names.pop()
      if (inObject) isKey = true
      else names.push(String(Number(last) + 1))
    } else if (mark === '{' || mark === '[') {
      reached(begin)
      stack.push(mark)
      if (mark === '{') isKey = true
      else names.push('0')
    } else if (mark === '}' || mark === ']') {
      stack.pop()
      // An empty object has named nothing.
      if (!isKey) names.pop()
      isKey = false
    } else if (mark !== ':') reached(begin)
  }
  return source.slice(0, best).split('\n').length
}
