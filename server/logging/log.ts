import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import pino from 'pino'
import { waitAtMost } from '../concurrency/timeout.ts'
import { openLogFiles, openStandardOutput } from './destination.ts'
import type { PrivatePaths } from './private-paths.ts'
import { createRedactor, type LogSecrets } from './redact.ts'
import { createRecentLog, maxLineLength, type RecentLog } from './recent-log.ts'

/** Milliseconds that shutdown waits for the log files. */
const flushTimeout = 2_000

/** The logger and what belongs to it. */
export type Log = {
  log: pino.Logger
  /** Writes the line of a request. */
  accessLog: AccessLog
  recentLog: RecentLog
  /** Masks secrets in paths. */
  privatePaths: PrivatePaths
  /** Writes buffered lines before the process ends; doesn't wait for a hanging disk. */
  flush(): Promise<void>
}

/** Lines are written in batches: after so many milliseconds, or characters. */
const writeDelayMs = 100
const maxTogether = 256 * 1024

/**
 * Creates the logger: redacted JSON lines to standard output, the recent log and files.
 * @param options level as pino names it; `pretty` for readable lines on a terminal; `write` to
 *   take the lines, one by one, instead of standard output (tests); `directory` for log files,
 *   none where left out; `secrets` as features say them, asked for at each line
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
  write?: (lines: string) => void
  directory?: string
  secrets?: () => LogSecrets | null
}): Promise<Log> {
  const redactor = createRedactor(() => secrets?.() ?? noSecrets)
  const shown = write ?? (pretty ? await prettyLines() : null)
  // Standard output and the viewer say what the files can't.
  const onFailure = (err: Error) => log.error({ err }, 'log files can’t be written')
  const destinations = [
    ...(shown ? [] : [openStandardOutput()]),
    ...(directory === undefined ? [] : [openLogFiles(directory, { onFailure })]),
  ]
  const recentLog = createRecentLog(1000, randomBytes(4).toString('hex'))

  let waiting = ''
  let count = 0
  let timer: NodeJS.Timeout | null = null
  const writeOut = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (count === 0) return
    for (const destination of destinations) destination.write(waiting)
    recentLog.push(waiting, count)
    waiting = ''
    count = 0
  }
  const add = (line: string) => {
    shown?.(line)
    // By itself, since the recent log keeps only its beginning.
    const isLong = line.length > maxLineLength
    if (isLong) writeOut()
    waiting += line
    count += 1
    if (isLong || waiting.length >= maxTogether) writeOut()
    else timer ??= setTimeout(writeOut, writeDelayMs).unref()
  }

  const log = createLogger(level, redactor, add)
  return {
    log,
    accessLog: createAccessLog({
      isEnabled: () => log.isLevelEnabled('info'),
      write: add,
    }),
    // A reader sees every line so far, also those that aren't written out yet.
    recentLog: {
      boot: recentLog.boot,
      end() {
        writeOut()
        return recentLog.end()
      },
      since(place) {
        writeOut()
        return recentLog.since(place)
      },
    },
    privatePaths: redactor.paths,
    async flush() {
      writeOut()
      await waitAtMost(Promise.all(destinations.map((each) => each.close())), flushTimeout)
    },
  }
}

const createLogger = (
  level: string,
  redactor: ReturnType<typeof createRedactor>,
  write: (line: string) => void,
): pino.Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactor.fields },
      serializers: { err: redactor.error },
    },
    // The text of an error may quote the input that caused it, so the finished line is redacted, too.
    { write: (line) => write(redactor.text(line)) },
  )

/** Until features exist; no requests are logged before. */
const noSecrets: LogSecrets = { privatePaths: [], secretFields: new Set() }

/** `a***@example.com`: recognisable in the log, but no usable address. */
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

/** The logged facts of a finished request. */
export type Access = {
  id: string
  method: string
  /** Redacted, printable, without quotes and backslashes, and without the query, which may contain tokens. */
  path: string
  status: number
  /** Milliseconds from the first header to the last byte. */
  ms: number
  /** The client's network, not its address: digits, letters, colons and dots. */
  net: string
  from?: 'memory'
  aborted?: boolean
}

/** Writes one line for a finished request. */
export type AccessLog = (access: Access) => void

/**
 * Creates the access log. It formats pino-style lines by hand: pino's redaction and serializers would
 * cost more than a reply from memory. Nothing in {@link Access} needs to be escaped.
 * @param options `write` takes one line
 */
export function createAccessLog({
  isEnabled,
  write,
}: {
  isEnabled: () => boolean
  write: (line: string) => void
}): AccessLog {
  let lastMs = 0
  let time = ''
  return ({ id, method, path, status, ms, net, from, aborted }) => {
    if (!isEnabled()) return
    const now = Date.now()
    if (now !== lastMs) {
      lastMs = now
      time = new Date(now).toISOString()
    }
    write(
      `{"level":"info","time":"${time}","id":"${id}","method":"${method}","path":"${path}","status":${status},"ms":${ms},"net":"${net}"${from ? `,"from":"${from}"` : ''}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`,
    )
  }
}
