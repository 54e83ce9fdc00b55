/** The logged facts of a finished request. */
export type Access = {
  id: string
  method: string
  /** Without the query, which may contain tokens. */
  path: string
  status: number
  /** Milliseconds from the first header to the last byte. */
  ms: number
  /** The client's network, not its address. */
  net: string
  from?: 'memory'
  aborted?: boolean
}

/** Writes one line for a finished request. */
export type AccessLog = (access: Access) => void

/**
 * Creates the access log. It formats pino-style lines by hand: pino's redaction and serializers would
 * cost more than a reply from memory.
 * @param options `redact` removes secrets from a path; `write` takes one line
 */
export function createAccessLog({
  isEnabled,
  redact,
  write,
}: {
  isEnabled: () => boolean
  redact: (text: string) => string
  write: (line: string) => void
}): AccessLog {
  return ({ id, method, path, status, ms, net, from, aborted }) => {
    if (!isEnabled()) return
    const time = new Date().toISOString()
    const shown = JSON.stringify(redact(path))
    // Behind a proxy it comes from a header.
    const network = JSON.stringify(net.slice(0, 64))
    write(
      `{"level":"info","time":"${time}","id":"${id}","method":"${method}","path":${shown},"status":${status},"ms":${ms},"net":${network}${from ? `,"from":"${from}"` : ''}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`,
    )
  }
}
