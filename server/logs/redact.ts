import pino from 'pino'

/** Names of values that never reach the log, wherever they stand and however they are written. */
const secret =
  /pass(?:word|phrase|wd)|secret|token|cookie|authorization|proof|csrf|api-?key|^code$|^message$|^subject$|^text$|^to$|^sender$|^replyto$/i
/** Names that are secret only as the contact form spells them. */
const spelt: ReadonlySet<string> = new Set(['Name', 'Email', 'htmlContent'])
/** What errors of the system, of Node and of SQLite call themselves. */
const systemCode = /^(?:E[A-Z0-9]+|(?:UND_)?ERR_\w+|SQLITE_\w+)$/
const deepest = 6
const redacted = '[redacted]'

/** The fields of a log line without what must not be written down. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isSecret(name) ? redacted : value instanceof Error ? value : harmless(value, 1),
    ]),
  )
}

/** An error for the log: what it says and where it arose, and of its other fields the harmless ones. */
export function redactError(error: unknown): unknown {
  if (!(error instanceof Error)) return harmless(error, 1)
  const { type, message, stack, code, ...rest } = pino.stdSerializers.err(
    error,
  ) as unknown as Record<string, unknown>
  return {
    type,
    message,
    stack,
    ...(typeof code === 'string' && systemCode.test(code) && { code }),
    ...redact(rest),
  }
}

/**
 * A text without what may hide in it: e-mail addresses are masked, also those encoded for an address
 * bar, addresses lose their query and what stands before an @, and folders what opens them.
 */
export function redactText(text: string): string {
  const closed = /\/folders\//i.test(text)
    ? text.replaceAll(/(\/api\/folders\/[^\s/"'\\]{1,4})[^\s/"'\\]*/gi, '$1…')
    : text
  const plain = closed.includes('://')
    ? closed
        .replaceAll(/(\w:\/\/)[^\s/@"'\\]+@/g, '$1')
        .replaceAll(/(\w:\/\/[^\s?#"'\\]+)(\?[^\s"'\\]*)?/g, (_, address: string, query?: string) =>
          query === undefined ? address : `${address}?…`,
        )
    : closed
  return plain.includes('@') || plain.includes('%40')
    ? plain.replaceAll(/[^\s"'<>(),:;=/\\@%]{1,64}(?:@|%40)(?=\w)/gi, (found) =>
        found.replace(/^(.).*?(@|%40)$/i, '$1***$2'),
      )
    : plain
}

const isSecret = (name: string) => secret.test(name) || spelt.has(name)

function harmless(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return redactError(value)
  if (depth > deepest) return '[…]'
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => harmless(each, depth + 1))
  if ('toJSON' in value) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isSecret(name) ? redacted : harmless(each, depth + 1),
    ]),
  )
}
