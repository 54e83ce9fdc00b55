import pino from 'pino'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'

/**
 * A destination of log lines. Requests never wait for it: lines that don't fit are dropped and counted,
 * and the count is logged as soon as there is room.
 */
export type Destination = {
  /** Takes lines with line breaks. */
  write(lines: string): void
  /** Resolves once everything is written, or has failed. */
  close(): Promise<void>
}

/** Characters buffered for a slow reader or disk. */
const maxWaiting = 4 * 1024 * 1024

/** Counts dropped lines. @param reason for the log */
function createMissing(reason: string) {
  let count = 0
  return {
    add: (lines: string) => void (count += lines.split('\n').length - 1),
    /** The line that reports them, or nothing; call when there is room. */
    take(): string {
      if (count === 0) return ''
      const lines = count
      count = 0
      const time = new Date().toISOString()
      return `${JSON.stringify({ level: 'warn', time, lines, msg: `lines are missing here: ${reason}` })}\n`
    },
  }
}

/** Standard output. An unread pipe, a full disk or a closed reader loses lines, but never ends the process. */
export function openStandardOutput(): Destination {
  const output = pino.destination({ fd: 1, sync: false, maxLength: maxWaiting })
  const missing = createMissing('the reader of the output did not keep up')
  let isClosed = false
  output.on('drop', (lines: string) => missing.add(lines))
  // Lines that a full disk refused are retried with the next ones.
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') isClosed = true
  })
  const write = (lines: string) => {
    // An empty write would emit `drain` again, forever.
    if (!isClosed && lines !== '') output.write(lines)
  }
  output.on('drain', () => write(missing.take()))
  return {
    write,
    close: async () => {
      try {
        output.flushSync()
      } catch {
        // A destination that never became ready has nothing to flush.
      }
    },
  }
}

/** The current log file; older ones are numbered from 1. */
const newest = 'pitlane.log'

/**
 * Rotated log files in a directory.
 * @param options `maxBytes` per file; `keep` files in all; `restMs` before a failed disk is retried
 */
export function openLogFiles(
  directory: string,
  {
    maxBytes = 10 * 1024 * 1024,
    keep = 5,
    restMs = 10_000,
  }: { maxBytes?: number; keep?: number; restMs?: number } = {},
): Destination {
  const missing = createMissing('the disk did not keep up')
  let stream: RotatingFileStream | null = null
  let restsUntil = 0

  const open = (): RotatingFileStream => {
    const opened = createStream((index) => (index ? `pitlane.${Number(index)}.log` : newest), {
      path: directory,
      size: `${maxBytes}B`,
      rotate: keep - 1,
      mode: 0o640,
    })
    // A failing log can't be logged; the file is reopened later.
    opened.on('error', () => {
      if (stream !== opened) return
      stream = null
      restsUntil = Date.now() + restMs
    })
    return opened
  }
  return {
    write(lines) {
      if (lines === '') return
      if (stream || Date.now() >= restsUntil) stream ??= open()
      if (stream && stream.writableLength <= maxWaiting) stream.write(missing.take() + lines)
      else missing.add(lines)
    },
    async close() {
      const closing = stream
      stream = null
      if (!closing || closing.destroyed) return
      await new Promise<void>((resolve) => {
        closing.once('error', () => resolve())
        closing.end(missing.take(), () => resolve())
      })
    },
  }
}
