/** An email as a person sees it. */
export type ReadMail = {
  raw: string
  /** Decoded header fields by lower-case name. */
  headers: Record<string, string>
  subject: string
  from: string
  to: string
  replyTo: string | null
  messageId: string
  text: string
  html: string
  /** The invitation, as mail programs find it among the alternatives. */
  calendar: { method: string | null; ics: string } | null
  attachments: { type: string; filename: string | null; bytes: Buffer }[]
}

/** Reads an email: folded and encoded headers, and its parts however deep they lie. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const parts = leaves({ headers, body })
  const text = (type: string) =>
    parts.find((part) => part.type === type && !part.isAttached)?.bytes.toString('utf8') ?? ''
  const plain = (type: string) => text(type).replaceAll('\r\n', '\n').trim()
  const calendar = parts.find(({ type, isAttached }) => type === 'text/calendar' && !isAttached)
  return {
    raw,
    headers,
    subject: headers.subject ?? '',
    from: headers.from ?? '',
    to: headers.to ?? '',
    replyTo: headers['reply-to'] ?? null,
    messageId: headers['message-id'] ?? '',
    text: plain('text/plain'),
    html: plain('text/html'),
    calendar: calendar
      ? { method: calendar.parameter('method'), ics: calendar.bytes.toString('utf8') }
      : null,
    attachments: parts
      .filter(({ isAttached }) => isAttached)
      .map(({ type, bytes, filename }) => ({ type, bytes, filename })),
  }
}

type Part = { headers: Record<string, string>; body: string }

/** The parts that have no parts of their own. */
function leaves({ headers, body }: Part): {
  type: string
  isAttached: boolean
  filename: string | null
  bytes: Buffer
  parameter(name: string): string | null
}[] {
  const contentType = headers['content-type'] ?? 'text/plain'
  const parameterOf = (value: string, name: string) =>
    new RegExp(`${name}="?([^";]+)"?`, 'i').exec(value)?.[1] ?? null
  const boundary = parameterOf(contentType, 'boundary')
  if (boundary) {
    // The line break before a boundary belongs to the boundary (RFC 2046, 5.1.1).
    const cut = new RegExp(`\\r?\\n--${RegExp.escape(boundary)}`)
    return `\n${body}`.split(cut).slice(1, -1).map(split).flatMap(leaves)
  }
  const disposition = headers['content-disposition'] ?? ''
  return [
    {
      type: contentType.split(';')[0]!.trim().toLowerCase(),
      isAttached: disposition.startsWith('attachment'),
      filename: parameterOf(disposition, 'filename'),
      bytes: decodeBody(body, headers['content-transfer-encoding']),
      parameter: (name) => parameterOf(contentType, name),
    },
  ]
}

function split(text: string): { headers: Record<string, string>; body: string } {
  const trimmed = text.replace(/^\r?\n/, '')
  const at = trimmed.search(/\r?\n\r?\n/)
  const headers: Record<string, string> = {}
  for (const line of trimmed
    .slice(0, at)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = decodeWords(line.slice(colon + 1).trim())
  }
  return { headers, body: trimmed.slice(at).replace(/^(?:\r?\n){2}/, '') }
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : quoted(text.replaceAll('_', ' ')),
    )
}

function decodeBody(body: string, encoding = '7bit'): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  return Buffer.from(
    encoding === 'quoted-printable' ? quoted(body.replaceAll(/=\r?\n/g, '')) : body,
  )
}

const quoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString('utf8')
