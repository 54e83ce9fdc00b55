import { takeTurns } from '../../concurrency/in-turns.ts'
import { refusal } from './request.ts'

/** What is parsed or written at once: a millisecond's work. */
const bytesAtOnce = 64 * 1024
const rowsAtOnce = 200
/** What is neither a list nor a row of one is parsed at once: more than this holds up every visitor. */
const largestPart = 16 * 1024 * 1024
/** Values in a reply. A few compressed kilobytes can hold so many that they fill the memory. */
const maxValues = 3_000_000

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Parses JSON as `JSON.parse` does, but lists that are members of the outermost object a few rows in a
 * turn of the event loop: that of 150 000 files would hold it for a second.
 * @throws SyntaxError; a refusal of what would take too much memory or time
 */
export async function parseLongJson(body: Buffer): Promise<unknown> {
  if (body.length <= bytesAtOnce) return JSON.parse(body.toString())
  const turn = takeTurns()
  /** The text around the lists, with the number of each in its place. */
  const around: string[] = []
  const lists: unknown[][] = []
  let [depth, from, isInText] = [0, 0, false]
  /** Whether what is being read is the inside of such a list. */
  let isListed = false

  const take = (to: number) => {
    if (to - from > largestPart) throw tooLarge()
    const part = JSON.parse(`[${body.toString('utf8', from, to)}]`) as unknown[]
    for (const row of part) lists.at(-1)!.push(row)
    from = to + 1
  }

  const isOutermostObject = /^\s*\{/.test(body.toString('latin1', 0, 1_000))
  let values = 0
  let lookedAt = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]!
    if (at - lookedAt >= bytesAtOnce) {
      lookedAt = at
      if (values > maxValues) throw tooLarge()
      const wait = turn()
      if (wait) await wait
    }
    if (isInText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isInText = false
    } else if (byte === quote) isInText = true
    else if (byte === openList || byte === openObject) {
      depth += 1
      values += 1
      if (depth !== 2 || byte !== openList || !isOutermostObject) continue
      around.push(body.toString('utf8', from, at + 1), String(lists.length))
      lists.push([])
      isListed = true
      from = at + 1
    } else if (byte === closeList || byte === closeObject) {
      depth -= 1
      if (depth !== 1 || !isListed) continue
      take(at)
      // The bracket itself, whichever it is, belongs to the text around.
      from = at
      isListed = false
    } else if (byte === comma) {
      values += 1
      if (!isListed || depth !== 2 || at - from < bytesAtOnce) continue
      take(at)
      const wait = turn()
      if (wait) await wait
    }
  }
  if (body.length - from > largestPart) throw tooLarge()
  around.push(body.toString('utf8', from))
  const whole = JSON.parse(around.join('')) as Record<string, unknown>
  if (lists.length === 0) return whole
  for (const [name, value] of Object.entries(whole)) {
    if (Array.isArray(value)) whole[name] = lists[value[0] as number]
  }
  return whole
}

const tooLarge = () => refusal(413, 'The list is too large.')

/** The JSON of a value in parts, in as many turns of the event loop as a long list takes. */
export async function* longJson(value: unknown): AsyncGenerator<string> {
  if (!Array.isArray(value)) {
    yield JSON.stringify(value) ?? ''
    return
  }
  const turn = takeTurns()
  yield '['
  for (let at = 0; at < value.length; at += rowsAtOnce) {
    const part = JSON.stringify(value.slice(at, at + rowsAtOnce)).slice(1, -1)
    yield at === 0 ? part : `,${part}`
    const wait = turn()
    if (wait) await wait
  }
  yield ']'
}
