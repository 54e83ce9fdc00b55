import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import pino from 'pino'
import { waitAtMost } from '../timeout.ts'
import { createAccessLog, type AccessLog } from './access-log.ts'
import { createLogFiles } from './files.ts'
import type { PrivatePaths } from './private-paths.ts'
import { createRedactor, type LogSecrets } from './redact.ts'
import { createRing, toAll, type LogRing } from './ring.ts'
import { openStandardOutput } from './standard-output.ts'

/** How long the end of the process waits for the log files, in milliseconds. */
const flushTimeout = 2_000

/** The logger and its memory. */
export type Log = {
  log: pino.Logger
  /** Writes the line of a request. */
  access: AccessLog
  ring: LogRing
  /** What the log leaves out of addresses. */
  privatePaths: PrivatePaths
  /** Writes what waits, for the end of the process; a disk that hangs is not waited for. */
  flush(): Promise<void>
}

/**
 * Makes the logger: redacted JSON lines to a destination, into a ring buffer and into files.
 * @param options level as pino names it; `pretty` for readable lines on a terminal; `write` to
 *   take the lines, one or several, instead of standard output (tests); `directory` for log files,
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
  const files = directory === undefined ? null : createLogFiles(directory)
  const shown = write ?? (pretty ? await prettyLines() : null)
  const output = shown ? null : openStandardOutput()
  const ring = createRing(
    1000,
    randomBytes(4).toString('hex'),
    toAll([output, files].filter((each) => each !== null)),
  )
  const accesses = createAccessLog({
    isEnabled: () => log.isLevelEnabled('info'),
    redact: redactor.text,
    write(lines, count) {
      ring.push(lines, count)
      shown?.(lines)
    },
  })
  const log = createLogger(level, redactor, (line) => {
    accesses.flush()
    ring.push(line, 1)
    shown?.(line)
  })
  return {
    log,
    access: accesses.access,
    ring: {
      boot: ring.boot,
      end() {
        accesses.flush()
        return ring.end()
      },
      since(place) {
        accesses.flush()
        return ring.since(place)
      },
    },
    privatePaths: redactor.paths,
    async flush() {
      accesses.flush()
      ring.flush()
      if (files) await waitAtMost(files.settled(), flushTimeout)
      files?.flushSync()
      try {
        output?.flushSync()
      } catch {
        // A destination that never became ready has nothing to flush.
      }
    },
  }
}

/** Makes the logger of redacted lines. */
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

/** Before there are features, lines tell of no requests. */
const noSecrets: LogSecrets = { privatePaths: [], secretFields: new Set() }

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
