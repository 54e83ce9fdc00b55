import pino from 'pino'
import { createPrivatePaths, type PrivatePaths } from './private-paths.ts'

/** Names of values that never reach the log, wherever they stand and however they are written. */
const secret =
  /pass(?:word|phrase|wd)|secret|token|cookie|authorization|proof|csrf|signature|api-?key|^code$|^message$|^subject$|^text$|^to$|^sender$|^replyto$/i
/** What errors of the system, of Node and of SQLite call themselves. */
const systemCode = /^(?:E[A-Z0-9]+|(?:UND_)?ERR_\w+|SQLITE_\w+)$/
const deepestLevel = 6
const redacted = '[redacted]'

/** What features keep out of the log, in addition to what never reaches it. */
export type LogSecrets = {
  /** Beginnings of addresses whose next segment opens something by itself. */
  readonly privatePaths: readonly string[]
  /** Names of values, in the spelling that makes them secret. */
  readonly secretFields: ReadonlySet<string>
}

/** Takes out of what is logged what must not be written down. */
export type Redactor = {
  /** The fields of a line. */
  fields(fields: Record<string, unknown>): Record<string, unknown>
  /** An error: what it says and where it arose, and of its other fields the harmless ones. */
  error(error: unknown): unknown
  /**
   * A text without what may hide in it: e-mail addresses are masked, also those encoded for an
   * address bar, addresses lose their query and what is before an @, and what opens something by
   * itself. Of JSON it makes JSON. Takes time in proportion to the text, whatever is in it.
   */
  text(text: string): string
  /** Its paths are redacted like any text. */
  readonly paths: PrivatePaths
}

/** @param secrets read again for each line */
export function createRedactor(secrets: () => LogSecrets): Redactor {
  const paths = createPrivatePaths(() => secrets().privatePaths)
  const isSecret = (name: string) => secret.test(name) || secrets().secretFields.has(name)

  const fields = (given: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        isSecret(name) ? redacted : value instanceof Error ? value : harmless(value, 1),
      ]),
    )

  const error = (thrown: unknown): unknown => {
    if (!(thrown instanceof Error)) return harmless(thrown, 1)
    const { type, message, stack, code, ...rest } = pino.stdSerializers.err(thrown) as Record<
      string,
      unknown
    >
    return {
      type,
      message,
      stack,
      ...(typeof code === 'string' && systemCode.test(code) && { code }),
      ...fields(rest),
    }
  }

  const harmless = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Error) return error(value)
    if (depth > deepestLevel) return '[…]'
    if (Array.isArray(value)) return value.slice(0, 100).map((each) => harmless(each, depth + 1))
    if ('toJSON' in value) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        isSecret(name) ? redacted : harmless(each, depth + 1),
      ]),
    )
  }

  const text = (plain: string) => redactText(plain, paths)
  return {
    fields,
    error,
    text,
    paths: { ...paths, maskPath: (path) => text(paths.maskPath(path)) },
  }
}

function redactText(text: string, { maskText }: PrivatePaths): string {
  let plain = text.includes('://') ? text.replaceAll(/:\/\/([^\s"'\\]+)/g, bareAddress) : text
  if (plain.includes('/')) plain = maskText(plain)
  if (plain.includes('?')) plain = plain.replaceAll(/\?[\w.-]+=[^\s"'\\]*/g, '?…')
  if (plain.includes('_')) plain = plain.replaceAll(/\b(sk|rk|whsec)_\w{8,}/g, '$1_…')
  if (/\b(?:bearer|basic) /i.test(plain)) {
    plain = plain.replaceAll(/\b(bearer|basic) [\w.~+/=-]{8,}/gi, '$1 …')
  }
  return plain.includes('@') || plain.includes('%40') ? withoutMailboxes(plain) : plain
}

/** What follows `://`, without credentials, query and fragment. */
function bareAddress(_: string, rest: string): string {
  const [host = ''] = rest.split(/[/?#]/, 1)
  const bare = rest.slice(host.lastIndexOf('@') + 1)
  const end = bare.search(/[?#]/)
  return `://${end < 0 ? bare : `${bare.slice(0, end)}?…`}`
}

/** What the name of a mailbox does not contain. */
const boundary = /[\s"'<>(),:;=/\\@%]/

/** Masks what is before each @, at most 64 characters of it. */
function withoutMailboxes(text: string): string {
  let done = ''
  let from = 0
  for (const { 0: sign, index } of text.matchAll(/(?:@|%40)(?=\w)/gi)) {
    let start = index
    while (start > from && index - start < 64 && !boundary.test(text[start - 1]!)) start -= 1
    // What follows a backslash belongs to an escape of JSON, which must stay one.
    if (text[start - 1] === '\\') start += text[start] === 'u' ? 5 : 1
    if (start >= index) continue
    done += `${text.slice(from, start + 1)}***${sign}`
    from = index + sign.length
  }
  return done + text.slice(from)
}
