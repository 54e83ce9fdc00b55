import pino from 'pino'
import type { WriteLines } from './ring.ts'

/** Standard output for the log. */
export type StandardOutput = {
  write: WriteLines
  /** Writes at once what waits; for the end of the process. */
  flushSync(): void
}

/** Bytes that may wait for who reads the output; beyond, lines are left out and counted. */
const mostWaiting = 4 * 1024 * 1024

/**
 * Opens standard output, written to in the background. A pipe that is not read, a full disk or a
 * reader that is gone costs lines, never the process; how many are missing is said as soon as
 * something can be written again.
 */
export function openStandardOutput(): StandardOutput {
  // The library's types know of texts alone.
  const output = pino.destination({
    fd: 1,
    sync: false,
    contentMode: 'buffer',
    maxLength: mostWaiting,
  }) as ReturnType<typeof pino.destination> & { write(lines: Buffer): boolean }
  /** What has been handed over and is not written yet, in this order. */
  const waiting: { left: number; done(): void }[] = []
  let missing = 0
  let isClosed = false

  output.on('write', (bytes: number) => {
    let left = bytes
    for (let first = waiting[0]; first && left > 0; first = waiting[0]) {
      const part = Math.min(left, first.left)
      first.left -= part
      left -= part
      if (first.left > 0) return
      waiting.shift()
      first.done()
    }
  })
  // It is the last one that was handed over.
  output.on('drop', (lines: Buffer) => {
    waiting.pop()?.done()
    missing += lines.toString('latin1').split('\n').length - 1
  })
  // What a full disk has refused is tried again with the next lines.
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') return
    isClosed = true
    for (const { done } of waiting.splice(0)) done()
  })
  const write: WriteLines = (lines, done) => {
    if (isClosed) return done()
    waiting.push({ left: lines.length, done })
    output.write(lines)
  }
  output.on('drain', () => {
    if (missing === 0) return
    const note = { level: 'warn', time: new Date().toISOString(), lines: missing }
    const msg = 'lines are missing here: the reader of the output did not keep up'
    missing = 0
    write(Buffer.from(`${JSON.stringify({ ...note, msg })}\n`), () => {})
  })
  return { write, flushSync: () => output.flushSync() }
}
