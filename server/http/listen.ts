import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that is listening. */
export type Listening = {
  readonly port: number
  readonly server: Server
  /** Stops accepting, lets requests in flight finish, cuts what is left after `graceMs`. Twice is harmless. */
  close(graceMs?: number): Promise<void>
}

/**
 * Listens with limits on slow clients: headers within 15 s, a whole request within 30 s, an idle
 * connection kept for 15 s, a silent one cut within a minute (design section 2, fine print).
 * @throws when the port is taken or may not be used
 */
export async function listen(
  listener: RequestListener,
  { port, host }: { port: number; host: string },
): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
    },
    listener,
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  let closing: Promise<void> | null = null
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close(graceMs = 10_000) {
      closing ??= new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), graceMs)
        server.close(() => {
          clearTimeout(cut)
          resolve()
        })
        server.closeIdleConnections()
      })
      return closing
    },
  }
}
