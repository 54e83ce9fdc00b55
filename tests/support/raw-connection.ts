import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A reply on a connection that is read by hand; header names are in lower case. */
export type RawReply = { status: number; headers: Record<string, string>; body: Buffer }

/** A TCP connection on which a test writes what it likes. */
export type RawConnection = AsyncDisposable & {
  readonly socket: Socket
  write(text: string): void
  /** The next reply. @param options `bodiless` for a reply to HEAD */
  reply(options?: { bodiless?: boolean }): Promise<RawReply>
  /** Resolves when the other side has closed or cut the connection; with what had come unread. */
  closed(): Promise<Buffer>
}

/**
 * Opens a connection to a site; rejects when no one listens there.
 * @param options `from`: the local address; `reading: false` leaves what comes where it is
 */
export async function openRaw(
  url: string,
  { from, reading = true }: { from?: string; reading?: boolean } = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(from && { localAddress: from }),
  })
  let received = Buffer.alloc(0)
  const state = { isClosed: false }
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const each of waiting) each()
  }
  const change = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        waiting.delete(done)
        resolve()
      }
      waiting.add(done)
    })
  const over = () => {
    state.isClosed = true
    wake()
  }
  if (reading) {
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      wake()
    })
  }
  // A connection that is cut is what some tests wait for.
  socket.on('error', over)
  socket.on('end', over)
  socket.on('close', over)
  await once(socket, 'connect')

  const upTo = async (find: () => number): Promise<Buffer> => {
    for (;;) {
      const end = find()
      if (end >= 0) {
        const taken = received.subarray(0, end)
        received = received.subarray(end)
        return taken
      }
      if (state.isClosed)
        throw new Error(`The connection ended after: ${received.toString('latin1')}`)
      await change()
    }
  }
  const blankLine = () => {
    const at = received.indexOf('\r\n\r\n')
    return at < 0 ? -1 : at + 4
  }
  const chunkedBody = async (): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (;;) {
      const line = await upTo(() => {
        const at = received.indexOf('\r\n')
        return at < 0 ? -1 : at + 2
      })
      const size = Number.parseInt(line.toString('latin1'), 16)
      const chunk = await upTo(() => (received.length >= size + 2 ? size + 2 : -1))
      if (size === 0) return Buffer.concat(parts)
      parts.push(chunk.subarray(0, size))
    }
  }

  return {
    socket,
    write: (text) => void socket.write(text, 'latin1'),
    async reply({ bodiless = false } = {}) {
      const [first = '', ...lines] = (await upTo(blankLine)).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(
        lines
          .filter((line) => line !== '')
          .map((line) => {
            const colon = line.indexOf(':')
            return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
          }),
      )
      const status = Number(first.split(' ')[1])
      const length = Number(headers['content-length'] ?? 0)
      const hasNone = bodiless || status === 304 || status < 200
      const body = hasNone
        ? Buffer.alloc(0)
        : headers['transfer-encoding'] === 'chunked'
          ? await chunkedBody()
          : await upTo(() => (received.length >= length ? length : -1))
      return { status, headers, body }
    },
    async closed() {
      while (!state.isClosed) await change()
      return received
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}
