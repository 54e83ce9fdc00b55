import { createServer, type AddressInfo, type Socket } from 'node:net'

/** An email in the mailbox. */
export type StoredEmail = {
  uid: number
  raw: Buffer
  flags: Set<string>
  /** What RFC822.SIZE says, where that isn't the size. */
  saidBytes?: number
}

/**
 * How the server treats its client: serves it, says nothing after the connection, never answers a
 * command, or hangs up when it comes.
 */
type Mood = 'serve' | 'silent' | { hang: string } | { drop: string }

/** A mail server on loopback with one mailbox (RFC 3501, as far as reading an INBOX needs it). */
export type Imap = AsyncDisposable & {
  /** As IMAP_URL has it. */
  readonly url: string
  readonly port: number
  mood: Mood
  readonly emails: StoredEmail[]
  /** Commands that came, without tags, the password left out. */
  readonly commands: string[]
  /** Bytes of emails that were sent out. */
  sent(): number
  /** Delivers an email. @returns its UID */
  deliver(raw: string | Buffer, options?: { saidBytes?: number }): number
  flagsOf(uid: number): string[]
  /** A mailbox that was made again: UIDs begin again. */
  renumber(): void
}

const login = { user: 'staff@example.com', password: 'p ss:w@rd' }

/** Starts a mail server whose mailbox is empty. */
export async function startImap(): Promise<Imap> {
  const sockets = new Set<Socket>()
  const emails: StoredEmail[] = []
  const commands: string[] = []
  let sent = 0
  let validity = 7
  let nextUid = 1

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    // A client that hangs up is what tests are about.
    socket.on('error', () => {})
    if (imap.mood === 'silent') return
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    let input = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      input = Buffer.concat([input, chunk])
      for (;;) {
        const end = input.indexOf('\r\n')
        if (end < 0) return
        const line = input.subarray(0, end).toString('utf8')
        const literal = /\{(\d+)\+?\}$/.exec(line)
        if (literal) {
          // A login is the only thing that comes as a literal.
          socket.write('+ go on\r\n')
        }
        input = input.subarray(end + 2)
        const [, tag = '*', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
        answer(socket, tag, command)
      }
    })
  })

  const answer = (socket: Socket, tag: string, command: string) => {
    const name = command.replace(/^UID /i, '').split(' ')[0]!.toUpperCase()
    commands.push(name === 'LOGIN' ? 'LOGIN' : command)
    const { mood } = imap
    if (mood instanceof Object && 'hang' in mood && mood.hang === name) return
    if (mood instanceof Object && 'drop' in mood && mood.drop === name) return socket.destroy()
    const lines: string[] = []
    const say = (line: string) => {
      if (lines.push(line) === 1) queueMicrotask(() => socket.write(`${lines.join('\r\n')}\r\n`))
    }
    const done = (text = `${name} done`) => say(`${tag} OK ${text}`)
    switch (name) {
      case 'CAPABILITY':
        say('* CAPABILITY IMAP4rev1')
        return done()
      case 'LOGIN': {
        const right = `LOGIN "${login.user}" "${login.password}"`
        if (command !== right)
          return say(`${tag} NO [AUTHENTICATIONFAILED] no such login: ${command}`)
        return done()
      }
      case 'LIST':
        say('* LIST (\\HasNoChildren) "/" INBOX')
        return done()
      case 'SELECT':
        say('* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)')
        say(`* ${emails.length} EXISTS`)
        say(`* OK [UIDVALIDITY ${validity}] valid`)
        say(`* OK [UIDNEXT ${nextUid}] next`)
        say('* OK [PERMANENTFLAGS (\\Seen \\Flagged \\*)] limited')
        return done('[READ-WRITE] selected')
      case 'SEARCH': {
        const [, range = '1:*'] =
          /\bUID (\S+)(?!.*\bUID \S)/.exec(command.replace(/^UID /, '')) ?? []
        const found = inRange(range).filter(
          ({ flags }) => !/UNSEEN/.test(command) || !flags.has('\\Seen'),
        )
        say(`* SEARCH${found.map(({ uid }) => ` ${uid}`).join('')}`)
        return done()
      }
      case 'FETCH': {
        const [, range = ''] = /^UID FETCH (\S+)/.exec(command) ?? []
        for (const email of inRange(range)) fetch(socket, email, command)
        return done()
      }
      case 'STORE': {
        const [, range = '', added = ''] =
          /^UID STORE (\S+) \+FLAGS[.\w]* \((.*)\)/.exec(command) ?? []
        for (const email of inRange(range)) {
          for (const flag of added.split(' ')) email.flags.add(flag)
          const flags = [...email.flags].join(' ')
          say(`* ${emails.indexOf(email) + 1} FETCH (UID ${email.uid} FLAGS (${flags}))`)
        }
        return done()
      }
      case 'LOGOUT':
        say('* BYE bye')
        done()
        return queueMicrotask(() => socket.end())
      case 'NOOP':
        return done()
      default:
        return say(`${tag} BAD unknown`)
    }
  }

  const inRange = (range: string) => {
    const last = emails.at(-1)?.uid ?? 0
    const isIn = range.split(',').map((part) => {
      const [from, to = from] = part.split(':').map((end) => (end === '*' ? last : Number(end)))
      return (uid: number) => uid >= Math.min(from!, to!) && uid <= Math.max(from!, to!)
    })
    return emails.filter(({ uid }) => isIn.some((each) => each(uid)))
  }

  const fetch = (socket: Socket, email: StoredEmail, command: string) => {
    const items: (string | Buffer)[] = [`UID ${email.uid}`]
    if (command.includes('RFC822.SIZE')) {
      items.push(` RFC822.SIZE ${email.saidBytes ?? email.raw.length}`)
    }
    if (command.includes('INTERNALDATE')) items.push(' INTERNALDATE "20-Nov-2026 12:00:00 +0000"')
    const fields = /BODY\.PEEK\[HEADER\.FIELDS \((.*?)\)\]/i.exec(command)?.[1]
    if (fields) {
      const wanted = new Set(fields.toLowerCase().replaceAll('"', '').split(' '))
      const header = email.raw.subarray(0, email.raw.indexOf('\r\n\r\n')).toString('latin1')
      const kept = header
        .split(/\r\n(?![ \t])/)
        .filter((line) => wanted.has(line.slice(0, line.indexOf(':')).toLowerCase()))
      const text = Buffer.from([...kept, '', ''].join('\r\n'), 'latin1')
      items.push(` BODY[HEADER.FIELDS (${fields})] {${text.length}}\r\n`, text)
      sent += text.length
    }
    const [piece, from, most] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(command) ?? []
    if (piece) {
      const part = email.raw.subarray(Number(from), Number(from) + Number(most))
      items.push(` BODY[]<${from}> {${part.length}}\r\n`, part)
      sent += part.length
    }
    const all = [`* ${emails.indexOf(email) + 1} FETCH (`, ...items, ')\r\n']
    // In one piece: the client's machine would wait with its answer to each small one.
    socket.write(Buffer.concat(all.map((item) => Buffer.from(item))))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const imap: Imap = {
    url: `imap://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@127.0.0.1:${port}`,
    port,
    mood: 'serve',
    emails,
    commands,
    sent: () => sent,
    deliver(raw, { saidBytes } = {}) {
      const uid = nextUid
      nextUid += 1
      const bytes = typeof raw === 'string' ? Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n')) : raw
      emails.push({ uid, raw: bytes, flags: new Set(), ...(saidBytes && { saidBytes }) })
      return uid
    },
    flagsOf: (uid) => [...(emails.find((each) => each.uid === uid)?.flags ?? [])],
    renumber() {
      validity += 1
      nextUid = 1
      for (const email of emails) {
        email.uid = nextUid
        nextUid += 1
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return imap
}
