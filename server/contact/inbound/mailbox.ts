import type { Readable } from 'node:stream'
import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../http/public-addresses.ts'
import { megabyte } from './email.ts'

/** Where the mailbox is, and who opens it. */
export type Inbox = NonNullable<Config['inbox']>

/** What is known of an email before anything of it is read. */
export type EmailFacts = {
  readonly uid: number
  /** As the server says it; RFC822.SIZE. */
  readonly bytes: number
  /** Milliseconds of the epoch; null where the server doesn't say. */
  readonly receivedAt: number | null
}

/** An open INBOX. Whatever it does can fail with a {@link MailboxError}. */
export type Mailbox = {
  /** Tells it from every other one: its address with its UIDVALIDITY. UIDs are of one mailbox. */
  readonly id: string
  /** UIDs of unread emails, in order. @param wanted those of a list, or all after one */
  unread(wanted: { among: readonly number[] } | { after: number }): Promise<number[]>
  /** Null for an email that is gone. */
  facts(uid: number): Promise<EmailFacts | null>
  /** Header fields alone, however large the rest is; null for an email that is gone. */
  headers(uid: number): Promise<Buffer | null>
  /** The whole email in pieces, at most so many bytes of it; null for an email that is gone. */
  read(uid: number, maxBytes: number): Promise<Readable | null>
  markRead(uid: number): Promise<void>
}

/** Why the mailbox couldn't be read, in a sentence that names neither user nor password. */
export class MailboxError extends Error {}

/** Milliseconds after which a silent server counts as gone. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** What of an email's header decides about it where nothing else is read. */
const headerFields = [
  'From',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'Auto-Submitted',
  'Precedence',
  'X-Auto-Response-Suppress',
  'X-Autoreply',
  'X-Autorespond',
  'Return-Path',
  'Content-Type',
]

/**
 * Opens the INBOX of a mailbox, works with it and closes it.
 * @param options `signal` ends it at once; `tls` are options of Node's TLS
 * @throws MailboxError when the server is down, silent, refuses us or hangs up; what the work throws
 */
export async function withMailbox<Value>(
  inbox: Inbox,
  { signal, tls }: { signal: AbortSignal; tls?: ImapFlowOptions['tls'] },
  work: (mailbox: Mailbox) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted()
  // The library is loaded only where a mailbox is set up.
  const { ImapFlow: Client } = await import('imapflow')
  const client = new Client({
    ...timeouts,
    host: inbox.host,
    port: inbox.port,
    secure: inbox.isTls,
    // A password never crosses a network in plain.
    ...(!isLoopback(inbox.host) && { doSTARTTLS: true }),
    ...(tls && { tls }),
    auth: { user: inbox.user, pass: inbox.password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    maxLineLength: 8 * megabyte,
    // Some servers give all of an email where a piece was asked for.
    maxLiteralSize: 12 * megabyte,
    maxResponseSize: 20 * megabyte,
  })
  // What it reports here also ends the command that was running.
  client.on('error', () => {})
  const { promise: aborted, reject: abort } = Promise.withResolvers<never>()
  aborted.catch(() => {})
  const onAbort = () => {
    abort(signal.reason)
    client.close()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const ask = async <Answer>(question: Promise<Answer>): Promise<Answer> => {
    try {
      return await Promise.race([question, aborted])
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw new MailboxError(problemIn(error, inbox))
    }
  }
  try {
    await ask(client.connect())
    const { uidValidity } = await ask(client.mailboxOpen('INBOX'))
    return await work(openMailbox(client, ask, `${inbox.user}@${inbox.host}/${uidValidity}`))
  } finally {
    signal.removeEventListener('abort', onAbort)
    await leave(client)
  }
}

/** Says goodbye to a server that still listens, and hangs up. */
async function leave(client: ImapFlow): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, 1_000).unref())
  if (client.usable) await Promise.race([client.logout().catch(() => {}), patience])
  client.close()
}

function openMailbox(
  client: ImapFlow,
  ask: <Answer>(question: Promise<Answer>) => Promise<Answer>,
  id: string,
): Mailbox {
  const byUid = { uid: true } as const
  const search = async (range: string): Promise<number[]> => {
    const found = await ask(client.search({ uid: range, seen: false }, byUid))
    if (!found) throw new MailboxError('The server of IMAP_URL doesn’t list unread emails.')
    return found.toSorted((a, b) => a - b)
  }
  return {
    id,
    async unread(wanted) {
      if ('among' in wanted) {
        return wanted.among.length === 0 ? [] : search(wanted.among.join(','))
      }
      // A range without an end always has the last email in it (RFC 3501, section 9).
      const found = await search(`${wanted.after + 1}:*`)
      return found.filter((uid) => uid > wanted.after)
    },
    async facts(uid) {
      const found = await ask(
        client.fetchOne(String(uid), { uid: true, size: true, internalDate: true }, byUid),
      )
      if (!found) return null
      const at = found.internalDate ? new Date(found.internalDate).getTime() : Number.NaN
      return {
        uid,
        bytes: found.size ?? Infinity,
        receivedAt: Number.isFinite(at) ? at : null,
      }
    },
    async headers(uid) {
      const found = await ask(
        client.fetchOne(String(uid), { uid: true, headers: headerFields }, byUid),
      )
      return found && found.headers ? found.headers : null
    },
    async read(uid, maxBytes) {
      const found = await ask(client.download(String(uid), undefined, { uid: true, maxBytes }))
      return 'content' in found && found.content ? found.content : null
    },
    async markRead(uid) {
      const done = await ask(client.messageFlagsAdd(String(uid), ['\\Seen'], byUid))
      if (done) return
      throw new MailboxError(
        client.usable ? 'The server of IMAP_URL doesn’t let emails be marked read.' : closed,
      )
    },
  }
}

const closed = 'The server of IMAP_URL has closed the connection.'

/** What the library says of an error; see its `ImapFlowError`. */
type Failed = {
  code?: string
  message?: string
  authenticationFailed?: boolean
  tlsFailed?: boolean
  responseText?: string
}

/** An error of the library as a sentence for staff. */
function problemIn(error: unknown, { user, password }: Inbox): string {
  const { code = '', message = '', ...failed }: Failed = error instanceof Error ? error : {}
  const said = (failed.responseText ?? message)
    .replaceAll(password, '[password]')
    .replaceAll(user, '[user]')
    .slice(0, 200)
  if (failed.authenticationFailed) return 'The server of IMAP_URL refuses this user and password.'
  if (code.endsWith('TIMEOUT')) return 'The server of IMAP_URL isn’t responding.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host of IMAP_URL can’t be found.'
  if (code === 'ECONNREFUSED') return 'The server of IMAP_URL refuses connections.'
  if (failed.tlsFailed || /TLS|SSL|CERT/.test(code)) {
    return `No secure connection to the server of IMAP_URL: ${said}`
  }
  if (code === 'NoConnection' || code === 'EConnectionClosed' || code === 'ECONNRESET') {
    return closed
  }
  return `The server of IMAP_URL failed: ${said}`
}
