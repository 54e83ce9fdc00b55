/** A mail as a person sees it. */
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
}

/** Reads a mail: folded and encoded headers, and the parts of multipart/alternative. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const boundary = headers['content-type']?.match(/boundary="?([^";]+)"?/)?.[1]
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(split) : []
  const part = (type: string) => {
    const found = parts.find((one) => one.headers['content-type']?.startsWith(type))
    return found ? decodeBody(found.body, found.headers['content-transfer-encoding']) : ''
  }
  return {
    raw,
    headers,
    subject: headers.subject ?? '',
    from: headers.from ?? '',
    to: headers.to ?? '',
    replyTo: headers['reply-to'] ?? null,
    messageId: headers['message-id'] ?? '',
    text: part('text/plain'),
    html: part('text/html'),
  }
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

function decodeBody(body: string, encoding = '7bit'): string {
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? quoted(body.replaceAll(/=\r?\n/g, ''))
        : body
  return text.replaceAll('\r\n', '\n').trim()
}

const quoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString('utf8')
