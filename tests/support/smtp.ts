import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { readMail, type ReadMail } from './read-mail.ts'
import type { Site } from './site.ts'

/**
 * How the server treats emails: takes them, refuses the sender, the recipient or the text with a reply
 * code and perhaps words of its own, never answers, or hangs up when the text comes. With `only`, it
 * takes all recipients but this one; with `left`, so many emails before it refuses.
 */
type Mood =
  | 'take'
  | 'hang'
  | 'drop'
  | ((
      | { sender: number; left?: number }
      | { recipient: number; only?: string }
      | { data: number }
    ) & { says?: string })

/** A mail server on loopback that remembers what it took. */
export type Smtp = AsyncDisposable & {
  readonly url: string
  readonly mails: (ReadMail & { envelopeTo: string[] })[]
  /** Attempts of any outcome that came as far as naming a recipient. */
  attempts(): number
  /** Logins that were tried. */
  logins(): number
  mood: Mood
  /** What its answer to a text that it has taken waits for. */
  answering: Promise<void>
  /** Stops listening, as a server that is down. */
  goDown(): Promise<void>
  /** Listens again on the same port. */
  comeBack(): Promise<void>
}

/**
 * Starts a mail server.
 * @param options `timeout`: milliseconds for `socketTimeout` and `greetingTimeout` in its `url`, which only
 *   the test of a server that never answers makes short: a crowded machine makes others slow, too;
 *   `refuseLogin`: asks for a login and takes none; `perConnection`: takes so many emails on one connection,
 *   then says 421 to the next; `thinks`: milliseconds until it answers a text that it takes
 */
export async function startSmtp({
  timeout = 30_000,
  refuseLogin = false,
  perConnection = Infinity,
  thinks = 0,
}: {
  timeout?: number
  refuseLogin?: boolean
  perConnection?: number
  thinks?: number
} = {}): Promise<Smtp> {
  const taken = new Map<string, number>()
  let attempts = 0
  let logins = 0
  const refusal = (code: number, says = 'Not now') =>
    Object.assign(new Error(says), { responseCode: code })
  const create = () => {
    const server = new SMTPServer({
      authOptional: !refuseLogin,
      allowInsecureAuth: true,
      disabledCommands: refuseLogin ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
      onAuth(_auth, _session, done) {
        logins += 1
        done(refusal(535))
      },
      closeTimeout: 50,
      onMailFrom(_address, session, done) {
        const { mood } = smtp
        if ((taken.get(session.id) ?? 0) >= perConnection) {
          return done(refusal(421, '4.7.0 Too many messages on this connection'))
        }
        if (!(mood instanceof Object) || !('sender' in mood)) return done(null)
        if ((mood.left ?? 0) > 0) {
          mood.left! -= 1
          return done(null)
        }
        done(refusal(mood.sender, mood.says))
      },
      onRcptTo({ address }, _session, done) {
        attempts += 1
        const { mood } = smtp
        if (mood === 'hang') return
        const isRefused =
          mood instanceof Object && 'recipient' in mood && (mood.only ?? address) === address
        done(isRefused ? refusal(mood.recipient, mood.says) : null)
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          const { mood } = smtp
          if (mood === 'drop') {
            for (const connection of server.connections) connection.close()
            return
          }
          if (mood instanceof Object && 'data' in mood) return done(refusal(mood.data, mood.says))
          taken.set(session.id, (taken.get(session.id) ?? 0) + 1)
          smtp.mails.push({
            ...readMail(Buffer.concat(chunks).toString('utf8')),
            envelopeTo: session.envelope.rcptTo.map(({ address }) => address),
          })
          await smtp.answering
          if (thinks > 0) setTimeout(done, thinks)
          else done()
        })
      },
    })
    // A client that gives up on a hanging server is what the tests are about.
    server.on('error', () => {})
    return server
  }
  const open = (server: SMTPServer, port: number) =>
    new Promise<number>((resolve, reject) => {
      server.server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve((server.server.address() as AddressInfo).port))
    })
  const shut = (server: SMTPServer) => new Promise<void>((resolve) => server.close(resolve))
  let server = create()
  const port = await open(server, 0)
  const smtp: Smtp = {
    url: `smtp://127.0.0.1:${port}?socketTimeout=${timeout}&greetingTimeout=${timeout}&ignoreTLS=true`,
    mails: [],
    mood: 'take',
    answering: Promise.resolve(),
    attempts: () => attempts,
    logins: () => logins,
    goDown: () => shut(server),
    async comeBack() {
      server = create()
      await open(server, port)
    },
    [Symbol.asyncDispose]: () => shut(server),
  }
  return smtp
}

/**
 * What reached an address, in the order in which the site queued it: emails that are due together leave side
 * by side, and either may arrive first.
 */
export function mailsTo({ context }: Pick<Site, 'context'>, { mails }: Smtp, address: string) {
  const ids = new Map(context.mails.list().map(({ messageId, id }) => [`<${messageId}>`, id]))
  const placeOf = ({ messageId }: ReadMail) => ids.get(messageId ?? '') ?? 0
  return mails
    .filter(({ envelopeTo }) => envelopeTo.includes(address))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}
