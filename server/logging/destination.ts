import { stat } from 'node:fs/promises'
import { join } from 'node:path'
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
    /** Takes a count back that a line of {@link take} reported in vain. */
    addAgain: (lines: number) => void (count += lines),
    count: () => count,
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

/** Where a server keeps its log files. */
export const logDirectory = (dataDir: string): string => join(dataDir, 'logs')

/** The current log file; older ones are numbered from 1. */
const newest = 'pitlane.log'
export const newestLog = (directory: string): string => join(directory, newest)

/**
 * Rotated log files in a directory. A file or directory that is removed or moved away is made again.
 * @param options `maxBytes` per file; `keep` files in all; `restMs` before a failed disk is retried, and
 *   between two looks whether the file is still there; `onFailure` hears of a disk that fails, once
 *   until it takes lines again
 */
export function openLogFiles(
  directory: string,
  {
    maxBytes = 10 * 1024 * 1024,
    keep = 5,
    restMs = 10_000,
    onFailure,
  }: {
    maxBytes?: number
    keep?: number
    restMs?: number
    onFailure?: (error: Error) => void
  } = {},
): Destination {
  const missing = createMissing('the disk did not keep up')
  let stream: RotatingFileStream | null = null
  let restsUntil = 0
  /** After a failure, the last line of the file may be half a line. */
  let begin = ''
  let isFailing = false

  const open = (): RotatingFileStream => {
    const opened = createStream((index) => (index ? `pitlane.${Number(index)}.log` : newest), {
      path: directory,
      size: `${maxBytes}B`,
      rotate: keep - 1,
      mode: 0o640,
    })
    watch(opened)
    opened.on('error', (error) => {
      if (stream !== opened) return
      // It is reopened later.
      stream = null
      begin = '\n'
      restsUntil = performance.now() + restMs
      if (!isFailing) onFailure?.(error)
      isFailing = true
    })
    return opened
  }

  /** Lets go of a file that has gone from its place, so that the next lines make a new one. */
  const watch = (opened: RotatingFileStream) => {
    const inode = () =>
      stat(newestLog(directory)).then(
        ({ ino }) => ino,
        () => null,
      )
    let known: number | null = null
    let isRotating = false
    opened.on('rotation', () => (isRotating = true))
    opened.on('open', () => void inode().then((ino) => ((known = ino), (isRotating = false))))
    const timer = setInterval(async () => {
      if (isRotating || known === null) return
      const now = await inode()
      // A rotation may have begun meanwhile.
      if (isRotating || now === known || stream !== opened) return
      stream = null
      opened.end()
    }, restMs).unref()
    opened.once('close', () => clearInterval(timer))
  }

  return {
    write(lines) {
      if (lines === '') return
      if (stream || performance.now() >= restsUntil) stream ??= open()
      if (!stream || stream.writableLength > maxWaiting) {
        missing.add(lines)
        return
      }
      const before = missing.count()
      stream.write(begin + missing.take() + lines, (error) => {
        if (!error) {
          isFailing = false
          return
        }
        missing.add(lines)
        missing.addAgain(before)
      })
      begin = ''
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
