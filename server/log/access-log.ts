/** The facts of a finished request; all of them safe to write down. */
export type Access = {
  id: string
  method: string
  /** Without the query, which may carry tokens. */
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

/** Paths that are kept as the log spells them. */
const mostPaths = 500
/** Lines that are put together at once; what is more makes a text of its own. */
const mostTogether = 32

/**
 * Makes the access log: lines in pino's form, put together by hand, since redaction and serializers
 * would cost more than the reply itself. Those of one turn of the event loop are put together after
 * the replies have left, which takes half the time of one by one: the code and its data stay in the
 * processor's caches.
 * @param options `redact` takes out of a path what must not be written down; `write` takes one line or several, each with its line break
 */
export function createAccessLog({
  isEnabled,
  redact,
  write,
}: {
  isEnabled: () => boolean
  redact: (text: string) => string
  write: (lines: string, count: number) => void
}): { access: AccessLog; flush(): void } {
  const lineOf = createLines(redact)
  let waiting: Access[] = []
  let times: number[] = []
  let isDue = false

  const flush = () => {
    if (waiting.length === 0) return
    const [finished, at] = [waiting, times]
    waiting = []
    times = []
    let lines = ''
    for (let i = 0; i < finished.length; i += 1) lines += lineOf(finished[i]!, at[i]!)
    write(lines, finished.length)
  }
  const turn = () => {
    isDue = false
    flush()
  }

  return {
    access(access) {
      if (!isEnabled()) return
      waiting.push(access)
      times.push(Date.now())
      if (waiting.length >= mostTogether) flush()
      if (isDue) return
      isDue = true
      process.nextTick(turn)
    },
    flush,
  }
}

/** Spells lines; what the one before had as well is not spelled again. */
function createLines(redact: (text: string) => string): (access: Access, at: number) => string {
  let last = 0
  let start = ''
  let lastNet = ''
  let quotedNet = '""'
  const paths = new Map<string, string>()
  const quoted = (path: string): string => {
    let text = paths.get(path)
    if (text === undefined) {
      if (paths.size >= mostPaths) paths.clear()
      paths.set(path, (text = JSON.stringify(redact(path))))
    }
    return text
  }
  return ({ id, method, path, status, ms, net, from, aborted }, at) => {
    if (at !== last) {
      last = at
      start = `{"level":"info","time":"${new Date(at).toISOString()}","id":"`
    }
    // Behind a proxy it is what a header says.
    if (net !== lastNet) {
      lastNet = net
      quotedNet = JSON.stringify(net.slice(0, 64))
    }
    return `${start}${id}","method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms},"net":${quotedNet}${from ? `,"from":"${from}"` : ''}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`
  }
}
