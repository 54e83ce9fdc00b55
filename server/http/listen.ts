import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../start-error.ts'

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
 * @throws StartError when the port is taken or may not be used, or the host is not of this machine
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
    const refuse = (cause: NodeJS.ErrnoException) =>
      reject(new StartError(problemOf(cause, port, host), { cause }))
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
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

/** Why nothing can listen there, and what to do about it. */
function problemOf({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use (${code}); stop what listens there, or set another PORT.`
    case 'EACCES':
      return `Port ${port} may not be used by this user (${code}); set a PORT from 1024 up.`
    case 'EADDRNOTAVAIL':
      return `HOST ${host} is no address of this machine (${code}); 0.0.0.0 listens on all of them.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is a name without an address (${code}); 0.0.0.0 listens on all of this machine.`
    default:
      return `Nothing can listen on ${host}, port ${port}: ${message}. Check HOST and PORT.`
  }
}
