/** A server process that may be ended at once. */
type Killable = { kill(): Promise<unknown> }

const lost: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

/** Whether a request failed because its server was gone; it was then never acknowledged. */
const isLost = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && lost.has(thrown.code)

/**
 * One life of a server under load: clients ask one thing after the other, and it is killed -9 as soon
 * as it has acknowledged enough of them.
 * @param options `network` makes addresses of 127.0.x.y, another for each life, so no limit goes
 *   on from the one before; `ask` sends one request and says whether it was acknowledged
 * @throws what `ask` throws, unless the server was gone
 */
export async function killUnderLoad(
  server: Killable,
  {
    network,
    connections,
    enough,
    ask,
  }: {
    network: number
    connections: number
    enough: number
    ask: (from: string) => Promise<boolean>
  },
): Promise<void> {
  const life = new AbortController()
  const reached = Promise.withResolvers<void>()
  let acknowledged = 0
  const client = async (from: string) => {
    while (!life.signal.aborted) {
      try {
        if ((await ask(from)) && (acknowledged += 1) >= enough) reached.resolve()
      } catch (error) {
        if (!isLost(error)) throw error
        if (!life.signal.aborted) await new Promise(setImmediate)
      }
    }
  }
  const clients = Promise.all(
    Array.from({ length: connections }, (_, at) => client(`127.0.${network}.${at + 1}`)),
  )
  await Promise.race([reached.promise, clients])
  await server.kill()
  life.abort()
  await clients
}
