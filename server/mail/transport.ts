import { mkdirSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { isLoopback } from '../http/public-addresses.ts'
import type { OutgoingMail } from './compose.ts'
import { isAddressCode } from './enhanced-codes.ts'

/** Sends emails, one at a time as often as it is asked to. */
export type Mailer = {
  /** `files` when no SMTP_URL is set: each email becomes an .eml file. */
  readonly mode: 'smtp' | 'files'
  /**
   * Sends an email.
   * @param options `isRepeat`: an attempt was made before, so a server that has the text gets more time
   * @returns what the server said
   * @throws whatever went wrong; {@link sendFailure} reads it
   */
  send(mail: OutgoingMail, options?: { isRepeat?: boolean }): Promise<string>
  /** Resolves when the mail server answers and takes the credentials. */
  verify(): Promise<void>
  /** Ends the connections; emails on their way fail. */
  close(): void
}

/** Emails that can be on their way at the same time, each by its own connection. */
export const maxConnections = 6

/** Milliseconds that an email gets on its way. */
export type SendTimeouts = {
  /** Until a server has its whole text, however slowly it drips its answers. */
  text: number
  /**
   * From then on until it says whether it takes it. A server that is slow may deliver what we no longer
   * wait for, and then the next attempt as well.
   */
  answer: number
  /** The same for all attempts after the first: what RFC 5321 (4.5.3.2.6) asks for. */
  lastAnswer: number
}

/** A server that hangs may be back soon, so the first attempt waits for its answer no longer than that. */
const sendTimeouts: SendTimeouts = { text: 120_000, answer: 120_000, lastAnswer: 600_000 }

/**
 * Milliseconds after which a silent server counts as gone; parameters of SMTP_URL override them. Once an
 * email is on its way, {@link SendTimeouts} count.
 */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 900_000,
}

/** Marks emails as written by a machine, so out-of-office replies stay away (RFC 3834). */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/**
 * Makes the mailer; it connects when it is first used.
 * @param email the `mail` part of the configuration
 * @param dataDir where emails become files without SMTP
 */
export function createMailer(
  { mail, dataDir }: { mail: { smtpUrl: string | null }; dataDir: string },
  waits = sendTimeouts,
): Mailer {
  return mail.smtpUrl ? smtpMailer(mail.smtpUrl, waits) : fileMailer(mailDirectory(dataDir))
}

function smtpMailer(url: string, waits: SendTimeouts): Mailer {
  let opened: ReturnType<typeof openTransport> | null = null
  const transport = () => (opened ??= openTransport(url))
  return {
    mode: 'smtp',
    async send(mail, { isRepeat = false } = {}) {
      const smtp = await transport()
      const late = new AbortController()
      let timer = setTimeout(() => late.abort(), waits.text)
      const onText = () => {
        clearTimeout(timer)
        timer = setTimeout(() => late.abort(), isRepeat ? waits.lastAnswer : waits.answer)
      }
      try {
        const tracked: TrackedMail = { ...asMail(mail), signal: late.signal, onText }
        const sent = await smtp.sendMail(tracked)
        return sent.response
      } finally {
        clearTimeout(timer)
      }
    },
    async verify() {
      await (await transport()).verify()
    },
    close() {
      // One that could not be opened needs no end.
      opened?.then(
        (smtp) => smtp.close({ force: true }),
        () => {},
      )
      opened = null
    },
  }
}

/**
 * Whether the connection has to be encrypted: a login never goes over a network in plain, not even
 * where a stranger on the way takes STARTTLS out of what the server offers. `ignoreTLS=true` says
 * that the network can be trusted.
 */
function needsTls(smtpUrl: string): boolean {
  const { protocol, username, hostname, searchParams } = new URL(smtpUrl)
  if (protocol !== 'smtp:' || username === '' || searchParams.has('ignoreTLS')) return false
  return !isLoopback(hostname.toLowerCase().replaceAll(/[[\]]/g, ''))
}

/** An email of which the transport says when the server has its whole text. */
type TrackedMail = SendMailOptions & { onText: () => void }

/** The library is loaded with the first email. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...timeouts,
    url,
    ...(needsTls(url) && { requireTLS: true }),
    pool: true,
    maxConnections,
    // Trying again is the outbox's work, a minute later. But a server that takes few emails on one
    // connection says so to the next one, before it has seen a byte of its text: that one goes on by
    // another connection, which may be about to be closed as well.
    maxRequeues: 5,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transport.use('stream', ({ data, message }, done) => {
    const { onText } = data as Partial<TrackedMail>
    // Read to its end only once the server has asked for it.
    if (onText) message.processFunc((text) => text.once('end', onText))
    done()
  })
  return transport
}

function fileMailer(directory: string): Mailer {
  return {
    mode: 'files',
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(asMail(mail))
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${mail.file}.eml`)
      // A reader never sees half an email, and a second attempt replaces the first.
      try {
        await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
        await rename(`${path}.part`, path)
      } catch (error) {
        // A full disk would keep it until the next attempt, which an erasure takes back.
        await rm(`${path}.part`, { force: true })
        throw error
      }
      return `written to ${path}`
    },
    async verify() {},
    close() {},
  }
}

function asMail(mail: OutgoingMail): SendMailOptions {
  const { from, to, replyTo, subject, text, html, messageId, calendar, attachments } = mail
  return {
    from,
    to,
    replyTo,
    subject,
    text,
    html,
    messageId: `<${messageId}>`,
    headers: { ...headers, ...mail.headers },
    ...(calendar && {
      icalEvent: {
        method: calendar.method,
        content: calendar.ics,
        filename: calendar.filename ?? 'invite.ics',
      },
    }),
    attachments: attachments?.map((each) => ({ ...each })),
  }
}

/** What nodemailer throws, as far as it is read here. */
type SmtpError = {
  responseCode?: number
  code?: string
  /** What was being said when it went wrong, such as `MAIL FROM`. */
  command?: string
  response?: string
  message?: string
}

/**
 * Replies about our login or its encryption (RFC 4954). A server that wants one, and sees none, says so
 * only to the envelope.
 */
const aboutLogin: ReadonlySet<number> = new Set([530, 534, 535, 538])

/** The enhanced code of a reply (RFC 3463), without its class: `1.8` of `550 5.1.8 …`. */
const enhancedCode = ({ response = '' }: SmtpError): string =>
  /^\d{3}[ -]\d\.(\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? ''

/**
 * What services that send for others say of us, or of our account, once they have the text. The word
 * “sender” alone is too little there: filters write of the sender, too, and mean this email.
 */
const aboutAccount: readonly string[] = [
  ...['address', 'domain', 'identity', 'sender'].flatMap((what) => [
    `${what} not verified`,
    `${what} is not verified`,
  ]),
  'verified sender',
  'send as ',
  'sendas',
  'not authorized to perform',
  'not authorised to perform',
  'sending limit',
  'sending quota',
  ...['suspended', 'paused', 'disabled'].flatMap((state) => [
    `sending ${state}`,
    `sending is ${state}`,
    `sending has been ${state}`,
  ]),
  'message quota',
]

const hasPhrase = ({ response = '' }: SmtpError, phrases: readonly string[]): boolean => {
  const words = response.toLowerCase()
  return phrases.some((phrase) => words.includes(phrase))
}

/** Replies that say that there were too many emails in a short time, whomever they are for. */
const aboutRate = /\b(?:rate|throttl\w*|quota|limit\w*|too (?:many|much|fast|quickly))\b/i

/**
 * Whether a refusal is about who sends rather than about this email: our login, our address, or that the
 * server passes nothing on for us. Every email would get it until a setting is mended. Postfix refuses
 * a sender or the machine that sends only once it is told the recipient, and says which of them.
 */
function isAboutSender(error: SmtpError): boolean {
  const { command, responseCode: status = 0, response = '' } = error
  const code = enhancedCode(error)
  if (aboutLogin.has(status) || code === '1.7' || code === '1.8') return true
  // The size comes with the sender (RFC 1870), and is the email's own.
  if (command === 'MAIL FROM') return status !== 552 && code !== '2.3' && code !== '3.4'
  if (command === 'RCPT TO') return /\b(?:relay|sender\b|client\b)/i.test(response)
  return error.code === 'EMESSAGE' && hasPhrase(error, aboutAccount)
}

/** How servers without enhanced codes say that there is no such mailbox. */
const aboutAddress: readonly string[] = [
  ...['user', 'recipient', 'mailbox', 'address'].flatMap((what) => [
    `no such ${what}`,
    `unknown ${what}`,
    `${what} unknown`,
    `${what} not found`,
    `invalid ${what}`,
  ]),
  'does not exist',
]

/** Whether a refusal says that no email reaches the address, rather than that this one, or we, may not. */
const isAboutAddress = (error: SmtpError): boolean => {
  const code = enhancedCode(error)
  return code === '' ? hasPhrase(error, aboutAddress) : isAddressCode(code)
}

/**
 * Reads what {@link Mailer.send} threw.
 * @returns `permanent` when the server refused this very email for good (5xx to its recipient or
 *   text); `isOurs` when it refused us, whatever we send, or wasn't there, and may take it later;
 *   `isRecipients` when no email reaches this address; `isTooFast` when it takes fewer in a time
 */
export function sendFailure(thrown: unknown): {
  permanent: boolean
  isOurs: boolean
  isRecipients: boolean
  isTooFast: boolean
  reply: string
  code: string
} {
  const error = thrown as SmtpError
  const isRefusal = (error.responseCode ?? 0) >= 500
  const isOurs = error.responseCode === undefined || (isRefusal && isAboutSender(error))
  const status = error.responseCode ?? 0
  const permanent =
    isRefusal && !isOurs && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
  return {
    isOurs,
    permanent,
    isRecipients: permanent && error.command === 'RCPT TO' && isAboutAddress(error),
    isTooFast:
      status === 421 || (status >= 400 && status < 500 && aboutRate.test(error.response ?? '')),
    reply: (error.response ?? error.message ?? String(thrown)).slice(0, 500),
    code: [error.code, error.responseCode].filter(Boolean).join(' '),
  }
}

/** Where emails become files without SMTP. */
export const mailDirectory = (dataDir: string) => join(dataDir, 'mail')

/** A name begins with the time at which its email was queued, with dashes for the colons. */
const mailFileName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-[\w-]+\.eml(?:\.part)?$/

/**
 * Removes the files of emails that the outbox no longer knows.
 * @param before only those that were queued before a moment (milliseconds of the epoch): a younger
 *   one may belong to an email that is being written down
 * @param keep names of files that stay
 */
export async function forgetMailFiles(
  dataDir: string,
  { before, keep }: { before: number; keep: ReadonlySet<string> },
): Promise<void> {
  const directory = mailDirectory(dataDir)
  for (const name of await readdir(directory).catch(() => [])) {
    const [, hour, minute, second] = mailFileName.exec(name) ?? []
    if (keep.has(name) || !hour) continue
    if (Date.parse(`${hour}:${minute}:${second}Z`) < before) {
      await rm(join(directory, name), { force: true })
    }
  }
}
