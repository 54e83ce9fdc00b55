import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { AttachmentStream, HeaderLines, Headers } from 'mailparser'
import { bytesText } from '#shared/text/bytes.ts'
import { plainLine, plainLines, shortened } from '#shared/text/text.ts'
import { isAddressCode } from '../../mail/enhanced-codes.ts'
import { textOfForeignHtml } from '../../text/mail-text.ts'
import type { InboundAttachment } from '../schema.ts'

/** What an email's header says of it. */
export type EmailHeader = {
  /** Stands for its Message-ID; where it has none, for its whole header. */
  readonly key: string
  /** Without angle brackets; null where it has none. */
  readonly messageId: string | null
  /** Its only sender; null where there are several, or none. */
  readonly from: string | null
  /** One line, at most 200 characters. */
  readonly subject: string
  /** Message-IDs of what it answers, without angle brackets: the nearest first. */
  readonly references: readonly string[]
  /** Whether a machine wrote it: an out-of-office reply, a list, a bounce (RFC 3834). */
  readonly isAutomatic: boolean
  /** Whether it tells what became of another email (RFC 6522). */
  readonly isReport: boolean
}

/** An email as a whole, without its files. */
export type Email = EmailHeader & {
  /** All of its text, with what it quotes; may be empty. */
  readonly text: string
  /** Whether there was more of it. */
  readonly isCut: boolean
  readonly attachments: readonly InboundAttachment[]
  /** How many further attachments it has. */
  readonly moreAttachments: number
  /** What a report says; null where it isn't one. */
  readonly report: Report | null
}

/** A report of a mail server about an email that it couldn't deliver (RFC 3464). */
export type Report = {
  /** Message-IDs of the email that it is about, without angle brackets. */
  readonly messageIds: readonly string[]
  /** What the server said when it gave up; null while it still tries, or has delivered. */
  readonly failed: string | null
  /** Whether no email reaches that address, rather than this one (RFC 3463). */
  readonly isRecipients: boolean
}

/** Bytes. */
export const megabyte = 1024 * 1024

/** Bytes of an email that is read as a whole; of a larger one only the header is. */
export const maxEmailBytes = 10 * megabyte

/** Characters that are kept of an email's text, with what it quotes. */
const maxTextLength = 64 * 1024

/** Message-IDs of a header that are looked at; no thread that people answer is longer. */
const maxReferences = 1_000

/** Attachments of an email that are named. */
const maxAttachments = 50

/** Characters of each part of a report that are looked at. */
const maxReportLength = 32 * 1024

/** Characters of HTML that become text; as many as `textOfForeignHtml` takes. */
const maxHtmlLength = 64 * 1024

/** Milliseconds for the parser, which stops by itself unless it has met something new to it. */
const parseTimeout = 20_000

/** Fields that only machines write: those of Exchange, and of autoresponders from before RFC 3834. */
const machineFields = ['x-auto-response-suppress', 'x-autoreply', 'x-autorespond'] as const

const reportParts =
  /^(?:message\/(?:delivery-status|rfc822|global.*|rfc822-headers)|text\/rfc822-headers)$/

/** Loaded by the first email: no command, and no server without a mailbox, needs its many tables. */
const mailParser = async () => (await import('mailparser')).MailParser

/**
 * Reads an email.
 * @param source its bytes
 * @throws when it can't be understood, or its bytes stop
 */
export async function readEmail(source: Readable): Promise<Email> {
  const MailParser = await mailParser()
  const parser = new MailParser({
    // Its ways from HTML to text and back cost more than a stranger's email may.
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    checksumAlgo: false,
    // Emails inside of an email are files.
    ignoreEmbedded: true,
  })
  const attachments: InboundAttachment[] = []
  const parts: { type: string; text: string }[] = []
  let more = 0
  let text: string | undefined
  let html: string | undefined

  const pass = async (file: AttachmentStream) => {
    const named = await take(file, (part) => parts.push(part))
    if (attachments.length < maxAttachments) attachments.push(named)
    else more += 1
  }

  await new Promise<void>((resolve, reject) => {
    const tooSlow = setTimeout(() => fail(new Error('The email takes too long.')), parseTimeout)
    const fail = (error: Error) => {
      clearTimeout(tooSlow)
      source.destroy()
      parser.destroy()
      reject(error)
    }
    parser.on('data', (part) => {
      if (part.type === 'text') ({ text, html } = part)
      else pass(part).catch(fail)
    })
    parser.once('end', () => {
      clearTimeout(tooSlow)
      resolve()
    })
    parser.on('error', fail)
    source.on('error', fail)
    source.pipe(parser)
  })

  const header = headerIn(parser.headers, parser.headerLines)
  const written = text?.trim() ? text : textOfForeignHtml((html ?? '').slice(0, maxHtmlLength))
  const whole = plainLines(written.slice(0, 2 * maxTextLength))
  const kept = shortened(whole, maxTextLength)
  return {
    ...header,
    text: kept,
    isCut: kept !== whole || written.length > 2 * maxTextLength || isHtmlCut(text, html),
    attachments,
    moreAttachments: more,
    report: header.isReport ? reportIn(parts) : null,
  }
}

/** Reads the header of an email alone, as it came from the mailbox. */
export async function readHeader(bytes: Buffer): Promise<EmailHeader> {
  const MailParser = await mailParser()
  const parser = new MailParser({ skipHtmlToText: true, skipTextToHtml: true })
  await new Promise<void>((resolve, reject) => {
    parser.on('data', () => {})
    parser.once('end', resolve)
    parser.once('error', reject)
    parser.end(bytes)
  })
  return headerIn(parser.headers, parser.headerLines)
}

/** Whether there is more HTML than becomes text. */
const isHtmlCut = (text: string | undefined, html: string | undefined): boolean =>
  !text?.trim() && (html?.length ?? 0) > maxHtmlLength

/** Lets a file pass by. @param onReport is given what of it tells of another email */
async function take(
  file: AttachmentStream,
  onReport: (part: { type: string; text: string }) => void,
): Promise<InboundAttachment> {
  const isReport = reportParts.test(file.contentType)
  let text = ''
  let bytes = 0
  for await (const chunk of file.content as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (isReport && text.length < maxReportLength) text += chunk.toString('utf8')
  }
  if (isReport) onReport({ type: file.contentType, text: text.slice(0, maxReportLength) })
  file.release?.()
  return { name: shortened(plainLine(file.filename ?? '') || file.contentType, 100), bytes }
}

function headerIn(headers: Headers | false, lines: HeaderLines | false): EmailHeader {
  if (!headers || !lines) throw new Error('The email has no header.')
  /** Every value of a field, folded lines in one. */
  const valuesOf = (name: string): string[] =>
    lines
      .filter(({ key }) => key === name)
      .map(({ line }) =>
        line
          .slice(line.indexOf(':') + 1)
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
  const type = valuesOf('content-type')[0]?.toLowerCase() ?? ''
  const messageId = idsIn(valuesOf('message-id').slice(0, 1))[0] ?? null
  const source = messageId ?? lines.map(({ line }) => line).join('\n')
  const isReport = type.startsWith('multipart/report')
  return {
    key: `email/${hash('sha256', source, 'base64url')}`,
    messageId,
    from: senderIn(headers, lines),
    subject: shortened(plainLine(textOf(headers.get('subject'))), 200),
    references: [
      ...new Set([
        ...idsIn(valuesOf('in-reply-to')),
        ...idsIn(valuesOf('references')).toReversed(),
      ]),
    ].slice(0, maxReferences),
    isAutomatic:
      isReport ||
      valuesOf('auto-submitted').some((value) => !/^no\s*(?:[;(]|$)/i.test(value)) ||
      valuesOf('precedence').some((value) => /^(?:bulk|junk|list|auto[_-]?reply)\b/i.test(value)) ||
      machineFields.some((name) => valuesOf(name).length > 0) ||
      valuesOf('return-path').some((value) => /^<\s*>$/.test(value)),
    isReport,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The sender of an email that has exactly one; a header with two of them shows which one it likes. */
function senderIn(headers: Headers, lines: HeaderLines): string | null {
  if (lines.filter(({ key }) => key === 'from').length !== 1) return null
  const from = headers.get('from')
  if (!from || typeof from !== 'object' || !('value' in from) || !Array.isArray(from.value)) {
    return null
  }
  const [only, ...others] = from.value
  const address = only?.address?.trim()
  return others.length === 0 && address && /^[^\s@]+@[^\s@]+$/.test(address)
    ? shortened(plainLine(address), 254)
    : null
}

/** The Message-IDs in values of a header field, without angle brackets. */
const idsIn = (values: readonly string[]): string[] =>
  values.flatMap((value) => Array.from(value.matchAll(/<([^<>\s]{1,250})>/g), ([, id]) => id!))

/** What the parts of a report say together. */
function reportIn(parts: readonly { type: string; text: string }[]): Report {
  const status = parts.find(({ type }) => type.endsWith('delivery-status'))?.text ?? ''
  const original = parts.filter(({ type }) => !type.endsWith('delivery-status'))
  const isFailed = /^action:[ \t]*failed\b/im.test(status)
  const said = /^diagnostic-code:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(status)?.[1]
  const code = /^status:[ \t]*(\S+)/im.exec(status)?.[1]
  return {
    messageIds: original.flatMap(({ text }) =>
      idsIn(Array.from(text.matchAll(/^message-id:\s*(<[^\r\n]*)/gim), ([, id]) => id!)),
    ),
    failed: isFailed
      ? shortened(
          plainLine((said ?? '').replace(/^\S+;\s*/, '').replaceAll(/\s+/g, ' ')) ||
            (code ?? 'returned'),
          300,
        )
      : null,
    isRecipients: isFailed && code?.startsWith('5.') === true && isAddressCode(code.slice(2)),
  }
}

/** A file of an email in words, such as `plan.pdf (2.2 MB)`; without a size, its name alone. */
export function sizeOf({ name, bytes }: InboundAttachment): string {
  return bytes === 0 ? name : `${name} (${bytesText(bytes)})`
}
