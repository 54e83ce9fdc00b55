import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import pino from 'pino'
import { createLogFiles } from './files.ts'
import type { PrivatePaths } from './private-paths.ts'
import { createRedactor, type LogSecrets, type Redactor } from './redact.ts'
import { createRing, type LogRing } from './ring.ts'

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

/** The logger and its memory. */
export type Log = {
  log: pino.Logger
  /** Writes the line of a request. */
  access: AccessLog
  ring: LogRing
  /** What the log leaves out of addresses. */
  privatePaths: PrivatePaths
  flush(): void
}

/**
 * Makes the logger: redacted JSON lines to a destination, into a ring buffer and into files.
 * @param options level as pino names it; `pretty` for readable lines on a terminal; `write` to
 *   take the lines instead of standard output (tests); `directory` for log files, none where left
 *   out; `secrets` as features say them, asked for at each line
 */
export async function createLog({
  level,
  pretty = false,
  write,
  directory,
  secrets,
}: {
  level: string
  pretty?: boolean
  write?: (line: string) => void
  directory?: string
  secrets?: () => LogSecrets | null
}): Promise<Log> {
  const redactor = createRedactor(() => secrets?.() ?? noSecrets)
  const files = directory === undefined ? null : createLogFiles(directory)
  const shown = write ?? (pretty ? await prettyLines() : null)
  const output = shown ? null : standardOutput()
  const ring = createRing(1000, randomBytes(4).toString('hex'), (lines) => {
    output?.write(lines)
    files?.write(lines)
  })
  const destination = {
    write(line: string) {
      ring.push(line)
      shown?.(line)
    },
  }
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactor.fields },
      serializers: { err: redactor.error },
    },
    {
      // Errors quote what they stumbled over, so the finished line is looked at once more.
      write: (line: string) => destination.write(redactor.text(line)),
    },
  )
  return {
    log,
    access: accessLog(log, destination, redactor),
    ring,
    privatePaths: redactor.paths,
    flush() {
      ring.flush()
      files?.flushSync()
      try {
        output?.flushSync()
      } catch {
        // A destination that never became ready has nothing to flush.
      }
    },
  }
}

/** Standard output, which takes bytes in this mode; the library's types know of texts alone. */
function standardOutput() {
  const output = pino.destination({ fd: 1, sync: false, contentMode: 'buffer' })
  return output as typeof output & { write(lines: Buffer): boolean }
}

/**
 * The line of a request in pino's form, put together by hand: it is written for every request,
 * where redaction and serializers would cost more than the reply itself.
 */
function accessLog(
  log: pino.Logger,
  { write }: { write(line: string): void },
  redactor: Pick<Redactor, 'text'>,
): AccessLog {
  let last = 0
  let start = ''
  let lastNet = ''
  let quotedNet = '""'
  const paths = new Map<string, string>()
  const quoted = (path: string): string => {
    let text = paths.get(path)
    if (text === undefined) {
      if (paths.size >= mostPaths) paths.clear()
      paths.set(path, (text = JSON.stringify(redactor.text(path))))
    }
    return text
  }
  return ({ id, method, path, status, ms, net, from, aborted }) => {
    if (!log.isLevelEnabled('info')) return
    const now = Date.now()
    if (now !== last) {
      last = now
      start = `{"level":"info","time":"${new Date(now).toISOString()}","id":"`
    }
    // Behind a proxy it is what a header says.
    if (net !== lastNet) {
      lastNet = net
      quotedNet = JSON.stringify(net.slice(0, 64))
    }
    write(
      `${start}${id}","method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms},"net":${quotedNet}${from ? `,"from":"${from}"` : ''}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`,
    )
  }
}

/** Before there are features, lines tell of no requests. */
const noSecrets: LogSecrets = { privatePaths: [], secretFields: new Set() }

/** Paths that are kept as the log spells them. */
const mostPaths = 500

/** `a***@example.com`: enough to recognise an address in the log, too little to write to it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** Readable lines on a terminal. */
async function prettyLines(): Promise<(line: string) => void> {
  const { default: pretty } = await import('pino-pretty')
  const stream: Writable = pretty({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    sync: true,
  })
  return (line) => void stream.write(line)
}
